import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Program, ProgramSource } from './recipe';
import { run } from './run';

/** Debian keeps servers in folders outside the PATH of an ordinary user. */
const serverFolders = ['/usr/sbin', '/usr/local/sbin'];

/** An installed program of this kind. */
export async function machineProgram(recipe: ProgramSource, env: NodeJS.ProcessEnv): Promise<Program | undefined> {
  const folders = [...(env.PATH ?? '').split(delimiter), ...serverFolders].filter((folder) => folder !== '');
  for (const name of recipe.programs) {
    for (const folder of new Set(folders)) {
      const file = join(folder, name);
      // Machines with MariaDB often call it mysqld too, so the name alone is not enough.
      if ((await isExecutable(file)) && recipe.recognises(await versionLine(file, recipe, env))) {
        return { command: [file], prefix: dirname(dirname(await realpath(file))), from: file };
      }
    }
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function versionLine(file: string, recipe: ProgramSource, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await run([file, ...recipe.versionArguments], { env, timeoutMs: 10_000 })).stdout;
  } catch {
    return '';
  }
}
