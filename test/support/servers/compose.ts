import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Keeper } from './keeper';
import type { Recipe, RunningServer } from './recipe';
import { messageOf, output, run } from './run';

const composeFile = join(__dirname, 'compose.yml');
const MAX_START_MS = 120_000;

/** Starts the service of compose.yml with the name of the kind, in a separate compose project. */
export async function startInDocker(recipe: Recipe, env: NodeJS.ProcessEnv): Promise<RunningServer> {
  if ((await run(['docker', 'info'], { env, timeoutMs: 20_000 })).code !== 0) {
    throw new Error('no docker engine answers');
  }
  const project = `itembank-${recipe.kind}-${process.pid}-${Date.now()}`;
  const compose = ['docker', 'compose', '--project-name', project, '--file', composeFile];
  const keeper = new Keeper([...compose, 'down', '--volumes'], env);
  try {
    await output([...compose, 'up', '--detach', '--quiet-pull', recipe.kind], { env });
    const address = await output([...compose, 'port', recipe.kind, String(recipe.containerPort)], { env });
    const port = Number(/:(\d+)\s*$/.exec(address)?.[1]);
    if (!Number.isInteger(port)) throw new Error('docker compose does not print the port of the server');
    const url = recipe.url(port);
    const version = await waitUntilReady(recipe, url);
    return { kind: recipe.kind, url, version, from: 'docker compose', stop: () => keeper.close() };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}

async function waitUntilReady(recipe: Recipe, url: string): Promise<string> {
  const deadline = Date.now() + MAX_START_MS;
  for (;;) {
    try {
      return (await recipe.ask(url)).version;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`its container does not answer (${messageOf(error)})`);
      await delay(250);
    }
  }
}
