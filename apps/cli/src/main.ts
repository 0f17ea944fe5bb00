#!/usr/bin/env node
import 'reflect-metadata';
import { output } from './print';
import { runCommand } from './program';

let isFailing = false;

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // EPIPE: the reader of the output may stop early, as in `itembank … | head`.
  if (code !== 'EPIPE' && !isFailing) {
    isFailing = true;
    process.stderr.write(`itembank: The output cannot be written (${code}).\n`);
    process.exitCode = 1;
  }
  if (!output.isOptional) process.exit();
});

void runCommand(process.argv.slice(2));
