import { resolve } from 'node:path';
import { starterOf, unpackedProgram } from './debian-packages';
import { machineProgram } from './machine-programs';
import type { Surroundings, ProgramSource } from './recipe';

const source: ProgramSource = {
  kind: 'php',
  label: 'PHP',
  programs: ['php'],
  versionArguments: ['--version'],
  recognises: (version) => /^PHP \d/.test(version),
  debianPackage: { name: 'php-cli', suite: 'own', program: 'usr/bin/php*' },
};

const here: Surroundings = { env: process.env, cacheFolder: resolve(__dirname, '../../../.servers') };

/** The path of a PHP program: one of this machine, else one from Debian's packages. */
export async function findPhp(): Promise<string> {
  const onMachine = await machineProgram(source, here.env);
  if (onMachine) return onMachine.command[0]!;
  const unpacked = await unpackedProgram(source, here);
  return starterOf(unpacked, source, here.cacheFolder);
}
