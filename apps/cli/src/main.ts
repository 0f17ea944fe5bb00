#!/usr/bin/env node
import 'reflect-metadata';
import { output } from './print';
import { runCommand } from './program';

// The reader of the output may stop early: `itembank … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!output.isOptional) process.exit();
});

void runCommand(process.argv.slice(2));
