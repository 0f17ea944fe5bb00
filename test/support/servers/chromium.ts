import { resolve } from 'node:path';
import { starterOf, unpackedProgram } from './debian-packages';
import { machineProgram } from './machine-programs';
import type { Program, Surroundings, ProgramSource } from './recipe';
import { messageOf, run } from './run';

/** The headless shell comes first, because it has no windows and starts much faster. */
const source: ProgramSource = {
  kind: 'chromium-headless-shell',
  label: 'Chromium',
  programs: [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge-stable',
    'microsoft-edge',
  ],
  versionArguments: ['--version'],
  recognises: (version) => /Chromium|Google Chrome|Microsoft Edge/.test(version),
  debianPackage: {
    name: 'chromium-headless-shell',
    suite: 'own',
    program: 'usr/lib/chromium/chromium-headless-shell',
    more: ['fonts-dejavu-core'],
  },
  startsItself: true,
};

interface Browser {
  /** The executable. */
  path: string;
  version: string;
  /** A description of the place where it was found. */
  from: string;
}

const here: Surroundings = { env: process.env, cacheFolder: resolve(__dirname, '../../../.servers') };

/**
 * A browser for the tests: the one that TEST_CHROMIUM names, else one of this machine, else one from Debian's packages.
 */
export async function findChromium(): Promise<Browser> {
  const named = here.env.TEST_CHROMIUM;
  if (named) return { path: named, version: await versionOf([named], 'TEST_CHROMIUM'), from: 'TEST_CHROMIUM' };
  const onMachine = await machineProgram(source, here.env);
  if (onMachine) return browserOf(onMachine, onMachine.command[0]!);
  try {
    const unpacked = await unpackedProgram(source, here);
    return await browserOf(unpacked, await starterOf(unpacked, source, here.cacheFolder));
  } catch (error) {
    throw new Error(
      `Chromium for the tests cannot be found on this machine or unpacked from Debian's packages (${messageOf(error)}): ` +
        'set TEST_CHROMIUM to the path of a Chromium, Chrome or Edge, or install the Debian package chromium-headless-shell.',
    );
  }
}

async function browserOf(program: Program, path: string): Promise<Browser> {
  return { path, version: await versionOf(program.command, path), from: program.from };
}

async function versionOf(command: readonly string[], named: string): Promise<string> {
  const { stdout } = await run([...command, ...source.versionArguments]).catch(() => ({ stdout: '' }));
  if (!source.recognises(stdout))
    throw new Error(
      `${named} is not a Chromium, Chrome or Edge that can be started: set TEST_CHROMIUM to the path of one.`,
    );
  return stdout.trim();
}
