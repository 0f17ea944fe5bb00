import { resolve } from 'node:path';
import { startInDocker } from './compose';
import { unpackedProgram } from './debian-packages';
import { startLocal } from './local-server';
import { machineProgram } from './machine-programs';
import { mariadb } from './mariadb';
import { mysql } from './mysql';
import { redis } from './redis';
import type { Data, Recipe, RunningServer, ServerKind, Surroundings } from './recipe';
import { messageOf } from './run';

export type { RunningServer, ServerKind } from './recipe';

/** One entry per server. Only this list and compose.yml name all of them. */
export const recipes: Readonly<Record<ServerKind, Recipe>> = { mariadb, mysql, redis };

export const isServerKind = (name: string): name is ServerKind => Object.hasOwn(recipes, name);

const here: Surroundings = { env: process.env, cacheFolder: resolve(__dirname, '../../../.servers') };

/**
 * A real server for the tests: the one that the environment names, else a program of this machine, else one unpacked
 * from Debian's packages, else a container. It listens on loopback addresses only. stop() removes it completely, and so
 * does any end of this process.
 */
export function startServer(kind: ServerKind, data?: Data): Promise<RunningServer> {
  return startByRecipe(recipes[kind], { ...here, data });
}

export async function startByRecipe(recipe: Recipe, surroundings: Surroundings): Promise<RunningServer> {
  const { env, data } = surroundings;
  const named = env[recipe.variable];
  // A named server is the only choice. Using another one would silently test something else.
  if (named !== undefined && named !== '') return useNamed(recipe, named);

  const ways: [string, () => Promise<RunningServer>][] = [
    [
      'on this machine',
      async () => {
        const program = await machineProgram(recipe, env);
        if (program === undefined)
          throw new Error(`no ${recipe.programs.join(' or ')} of ${recipe.label} is installed`);
        return startLocal(recipe, program, data);
      },
    ],
    ["from Debian's packages", async () => startLocal(recipe, await unpackedProgram(recipe, surroundings), data)],
    ['by docker', () => startInDocker(recipe, env)],
  ];
  const reasons: string[] = [];
  for (const [name, start] of ways) {
    try {
      return await start();
    } catch (error) {
      reasons.push(`${name}: ${messageOf(error)}`);
    }
  }
  throw new Error(
    sentence(
      `${recipe.label} for the tests cannot be found or started (${reasons.join('; ')}): ` +
        `set ${recipe.variable} to ${recipe.address}, or install the Debian package ` +
        `${recipe.debianPackage.name}, or start a docker engine`,
    ),
  );
}

async function useNamed(recipe: Recipe, url: string): Promise<RunningServer> {
  try {
    const { version } = await recipe.ask(url);
    if (!recipe.recognises(version)) throw new Error(`it is not ${recipe.label} but ${version}`);
    await recipe.checkRights(url);
    return { kind: recipe.kind, url, version, from: recipe.variable, stop: async () => undefined };
  } catch (error) {
    throw new Error(
      sentence(
        `The server that ${recipe.variable} names cannot be used (${messageOf(error)}): ` +
          `set it to ${recipe.address}, or unset it to have ${recipe.label} found on this machine, unpacked from ` +
          `the Debian package ${recipe.debianPackage.name} or started by docker`,
      ),
    );
  }
}

/** One line with one full stop, whatever the messages in it look like. */
function sentence(text: string): string {
  return `${text.replace(/\s+/g, ' ').trim()}.`;
}
