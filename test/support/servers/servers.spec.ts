import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { until } from '../until';
import { startInDocker } from './compose';
import { isComplete, putInPlace, unpackedProgram } from './debian-packages';
import { freePort } from './free-port';
import { Keeper } from './keeper';
import { machineProgram } from './machine-programs';
import { parsePlan, parseSources, sourcesFor } from './private-apt';
import type { Recipe, RunningServer, ServerKind } from './recipe';
import { recipes, startByRecipe } from './servers';

const root = resolve(__dirname, '../../..');
const cacheFolder = join(root, '.servers');
const requested = (process.env.TEST_ENGINES || 'sqlite,mariadb,mysql,redis').split(',').map((name) => name.trim());
const kinds = (Object.keys(recipes) as ServerKind[]).filter((kind) => requested.includes(kind));
const oneSentence = /^[^\n]+[^.\n]\.$/;

/** The environment of a machine without named servers. */
function unnamedEnv(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const recipe of Object.values(recipes)) delete env[recipe.variable];
  return env;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'itembank-spec-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function script(name: string, lines: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${lines}\n`);
  await chmod(file, 0o755);
  return file;
}

async function failure(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    const end = (open: boolean) => () => {
      socket.destroy();
      done(open);
    };
    socket.on('connect', end(true)).on('error', end(false));
  });
}

describe('a server that is not available', () => {
  it.each(Object.values(recipes))(
    'names the remedies in one sentence when $variable does not answer',
    async (recipe) => {
      const { protocol } = new URL(recipe.url(1));
      const env = { ...process.env, [recipe.variable]: `${protocol}//user:secret-word@127.0.0.1:${await freePort()}` };
      const message = await failure(startByRecipe(recipe, { env, cacheFolder }));
      expect(message).toMatch(oneSentence);
      expect(message).toContain(recipe.variable);
      expect(message).toContain('ECONNREFUSED');
      expect(message).toContain(recipe.debianPackage.name);
      expect(message).toContain('docker');
      expect(message).not.toContain('secret-word');
    },
  );

  it.each([recipes.mysql, recipes.redis])('gives an error for an invalid address in $variable', async (recipe) => {
    const env = { ...process.env, [recipe.variable]: 'localhost' };
    const message = await failure(startByRecipe(recipe, { env, cacheFolder }));
    expect(message).toMatch(oneSentence);
    expect(message).toContain(recipe.variable);
  });

  it('names every attempt in one sentence when there is no program, apt or docker', async () => {
    const recipe: Recipe = { ...recipes.mysql, programs: ['no-such-program'] };
    const env = { PATH: join(folder, 'nothing') };
    const message = await failure(startByRecipe(recipe, { env, cacheFolder: join(folder, 'cache') }));
    expect(message).toMatch(oneSentence);
    for (const part of ['no-such-program', 'there is no apt-get', 'there is no docker', 'set TEST_MYSQL_URL']) {
      expect(message).toContain(part);
    }
    expect(await readdir(join(folder, 'cache'))).toEqual([]);
  });
});

describe('free ports', () => {
  it('are different and can be listened on', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports).size).toBe(20);
    for (const port of ports) {
      await new Promise<void>((done, fail) => {
        const server = createServer().on('error', fail);
        server.listen(port, '127.0.0.1', () => server.close(() => done()));
      });
    }
  });
});

describe('programs of the machine', () => {
  it('are recognised by their output, not by their name', async () => {
    await script('mysqld', "echo 'mysqld  Ver 10.11.11-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)'");
    const mysql = { ...recipes.mysql, programs: ['mysqld', 'real-mysqld'] };
    const mariadb = { ...recipes.mariadb, programs: ['mysqld'] };
    const env = { PATH: `${folder}:${process.env.PATH}` };
    expect((await machineProgram(mariadb, env))?.command).toEqual([join(folder, 'mysqld')]);
    await script('real-mysqld', "echo 'mysqld  Ver 8.4.5 for Linux on x86_64 (MySQL Community Server - GPL)'");
    const found = await machineProgram({ ...mysql, programs: ['real-mysqld'] }, env);
    expect(found?.command).toEqual([join(folder, 'real-mysqld')]);
    expect((await machineProgram(mysql, env))?.command).not.toEqual([join(folder, 'mysqld')]);
  });

  it('are skipped when they do not run', async () => {
    await script('broken-mysqld', 'exit 1');
    expect(await machineProgram({ ...recipes.mysql, programs: ['broken-mysqld'] }, { PATH: folder })).toBeUndefined();
  });
});

describe('the cache of unpacked packages', () => {
  async function tree(name: string, complete: boolean, content = name): Promise<string> {
    const path = join(folder, name);
    await mkdir(path);
    await writeFile(join(path, 'content'), content);
    if (complete) await writeFile(join(path, 'complete.json'), '{"layout":1}');
    return path;
  }

  it('rejects an incomplete tree', async () => {
    expect(await isComplete(await tree('half', false))).toBe(false);
    expect(await isComplete(await tree('whole', true))).toBe(true);
    expect(await isComplete(join(folder, 'none'))).toBe(false);
    const torn = await tree('torn', false);
    await writeFile(join(torn, 'complete.json'), '{"lay');
    expect(await isComplete(torn)).toBe(false);
  });

  it('unpacks a tree again that has the program but no marker', async () => {
    const half = join(folder, `mysql-${process.arch}`);
    await mkdir(join(half, 'root/usr/sbin'), { recursive: true });
    await writeFile(join(half, 'root/usr/sbin/mysqld'), '');
    const message = await failure(unpackedProgram(recipes.mysql, { env: { PATH: '' }, cacheFolder: folder }));
    expect(message).toContain('apt-get');
    expect(await readdir(folder)).toEqual([`mysql-${process.arch}`]);
  });

  it('replaces an incomplete tree by a complete one', async () => {
    const target = await tree('target', false, 'half');
    await putInPlace(await tree('made', true, 'whole'), target);
    expect(await readFile(join(target, 'content'), 'utf8')).toBe('whole');
    expect(await readdir(folder)).toEqual(['target']);
  });

  it('keeps the first of two complete trees with the same name', async () => {
    const target = join(folder, 'target');
    const made = [await tree('first', true), await tree('second', true)] as const;
    await putInPlace(made[0], target);
    await putInPlace(made[1], target);
    expect(await readFile(join(target, 'content'), 'utf8')).toBe('first');
  });
});

describe('the sources of packages', () => {
  const planned = ['bookworm main', 'bookworm-updates main', 'bookworm contrib', 'bookworm-pgdg main']
    .map((line) => line.split(' '))
    .map(
      ([suite, component]) => `'http://mirror.test/debian/dists/${suite}/${component}/binary-amd64/Packages.xz' x 0 `,
    )
    .join('\n');
  const release = 'NAME="Debian GNU/Linux"\nVERSION_CODENAME=bookworm\nID=debian\n';
  const source = (suite: string) => ({ uri: 'http://mirror.test/debian', suite, component: 'main' });

  it("are the machine's own release and its updates", () => {
    const own = sourcesFor('own', parseSources(planned), release);
    expect(own).toEqual([source('bookworm'), source('bookworm-updates')]);
  });

  it('are sid on the same mirror for packages that the release lacks', () => {
    expect(sourcesFor('sid', parseSources(planned), release)).toEqual([source('sid')]);
  });

  it("are the release's own where there is no sid", () => {
    const ubuntu = 'ID=ubuntu\nVERSION_CODENAME=noble\n';
    const noble = planned.replaceAll('bookworm', 'noble');
    expect(sourcesFor('sid', parseSources(noble), ubuntu)).toEqual([source('noble'), source('noble-updates')]);
  });

  it('give package names with versions', () => {
    const plan =
      'NOTE: simulation\nInst libc6 (2.36-9 Debian:12/stable [amd64]) []\nInst a (1:2~b Debian [all])\nConf a\n';
    expect(parsePlan(plan)).toEqual(['libc6=2.36-9', 'a=1:2~b']);
  });
});

describe('the keeper', () => {
  it('kills the watched process and runs its command', async () => {
    const sleeper = spawn('sleep', ['60']);
    const ended = new Promise((done) => sleeper.once('exit', (_code, signal) => done(signal)));
    const left = join(folder, 'left');
    await mkdir(left);
    const keeper = new Keeper(['rm', '-rf', left]);
    keeper.watch(sleeper.pid as number);
    await keeper.close();
    expect(await ended).toBe('SIGKILL');
    expect(existsSync(left)).toBe(false);
    await keeper.close();
  });

  it('does not kill a process after forget()', async () => {
    const sleeper = spawn('sleep', ['60']);
    const keeper = new Keeper(['true']);
    keeper.watch(sleeper.pid as number);
    keeper.forget();
    await keeper.close();
    expect(sleeper.exitCode ?? sleeper.signalCode).toBeNull();
    sleeper.kill();
  });
});

// With `TEST_ENGINES=sqlite` no server is requested, and these tests do not exist.
for (const kind of kinds)
  describe(`a real server: ${kind}`, () => {
    const recipe = recipes[kind];
    let server: RunningServer;
    let dataFolder: string;

    beforeAll(async () => {
      server = await startByRecipe(recipe, { env: unnamedEnv(), cacheFolder });
      dataFolder = (await recipe.ask(server.url)).dataFolder;
    });
    afterAll(() => server?.stop());

    async function row(sql: string, of = server): Promise<RowDataPacket> {
      const connection = await createConnection(of.url);
      try {
        const [rows] = await connection.query<RowDataPacket[]>(sql);
        return rows[0] as RowDataPacket;
      } finally {
        await connection.end();
      }
    }

    it('is of the requested kind', () => expect(recipe.recognises(server.version)).toBe(true));

    if (kind === 'redis')
      it('keeps its data in memory only', async () => {
        const redis = new Redis(server.url);
        expect(await redis.config('GET', 'save')).toEqual(['save', '']);
        expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'no']);
        redis.disconnect();
      });
    else
      it('has the settings for tests', async () => {
        const settings = await row(
          'SELECT @@max_connections AS connections, @@log_bin AS log, @@innodb_buffer_pool_size AS pool,' +
            ' @@character_set_server AS charset, @@sql_mode AS mode, @@innodb_flush_log_at_trx_commit AS flush,' +
            ' @@innodb_flush_method AS method',
        );
        const pool = 256 * 1024 * 1024;
        expect(settings).toMatchObject({
          connections: 300,
          log: 0,
          pool,
          charset: 'utf8mb4',
          flush: 0,
          method: 'nosync',
        });
        expect(settings.mode).toContain('STRICT_TRANS_TABLES');
        expect(String(settings.mode).includes('ONLY_FULL_GROUP_BY')).toBe(kind === 'mysql');
      });

    if (kind !== 'redis')
      it('waits for the disk when the data must be durable', async () => {
        const durable = await startByRecipe(recipe, { env: unnamedEnv(), cacheFolder, data: 'durable' });
        try {
          const settings = await row(
            'SELECT @@innodb_flush_log_at_trx_commit AS flush, @@innodb_doublewrite AS pages, @@innodb_flush_method AS method',
            durable,
          );
          expect(settings.flush).toBe(1);
          expect(['1', 'ON']).toContain(String(settings.pages));
          expect(['fsync', 'O_DIRECT']).toContain(settings.method);
        } finally {
          await durable.stop();
        }
      });

    it('listens on the loopback address only', async () => {
      const port = Number(new URL(server.url).port);
      expect(await accepts('127.0.0.1', port)).toBe(true);
      const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
      for (const { address, internal, family } of others) {
        if (!internal && family === 'IPv4') expect(await accepts(address, port)).toBe(false);
      }
    });

    it('can be named by the environment variable, and then keeps running after stop()', async () => {
      const env = { ...unnamedEnv(), [recipe.variable]: server.url };
      const named = await startByRecipe(recipe, { env, cacheFolder });
      expect(named).toMatchObject({ kind, url: server.url, from: recipe.variable });
      await named.stop();
      expect((await recipe.ask(server.url)).version).toBe(server.version);
    });

    it('is rejected when the variable of another kind names it', async () => {
      const other = kind === 'mysql' ? recipes.mariadb : recipes.mysql;
      const env = { ...unnamedEnv(), [other.variable]: server.url };
      const message = await failure(startByRecipe(other, { env, cacheFolder }));
      expect(message).toMatch(oneSentence);
      expect(message).toContain(other.variable);
      if (kind !== 'redis') expect(message).toContain(`it is not ${other.label}`);
    });

    it('is rejected when its login lacks rights that the tests need', async () => {
      const visitor = new URL(server.url);
      visitor.username = 'visitor';
      if (kind === 'redis') {
        visitor.password = 'word';
        const redis = new Redis(server.url);
        await redis.call('ACL', 'SETUSER', 'visitor', 'on', '>word', '+@all', '-set', '~*');
        redis.disconnect();
      } else await row("CREATE USER visitor@'127.0.0.1'");
      const env = { ...unnamedEnv(), [recipe.variable]: visitor.href };
      const message = await failure(startByRecipe(recipe, { env, cacheFolder }));
      expect(message).toMatch(oneSentence);
      expect(message).toContain(kind === 'redis' ? 'no permissions' : 'Access denied');
    });

    it('can be started and removed by docker compose (with a stub of docker)', async () => {
      const calls = join(folder, 'calls');
      const port = new URL(server.url).port;
      await script('docker', `echo "$*" >> '${calls}'; case "$*" in *' port '*) echo 127.0.0.1:${port};; esac`);
      const contained = await startInDocker(recipe, { ...process.env, PATH: `${folder}:${process.env.PATH}` });
      expect(contained).toMatchObject({ kind, url: server.url, from: 'docker compose' });
      await contained.stop();
      const verbs = (await readFile(calls, 'utf8')).split('\n').map((line) => line.replace(/^.*compose\.yml /, ''));
      expect(verbs).toEqual([
        'info',
        `up --detach --quiet-pull ${kind}`,
        `port ${kind} ${recipe.containerPort}`,
        'down --volumes',
        '',
      ]);
    });

    it('is removed with its data by stop()', async () => {
      expect(existsSync(dataFolder)).toBe(true);
      await server.stop();
      expect(await accepts('127.0.0.1', Number(new URL(server.url).port))).toBe(false);
      expect(existsSync(dirname(dataFolder))).toBe(false);
      await server.stop();
    });
  });

for (const kind of kinds.slice(0, 1))
  describe('main.ts, run by plain Node', () => {
    function startByHand(): ChildProcess {
      const args = ['-r', join(root, 'test/support/ts.cjs'), join(__dirname, 'main.ts'), kind];
      return spawn(process.execPath, args, { env: unnamedEnv(), stdio: ['ignore', 'pipe', 'inherit'] });
    }

    async function firstLine(child: ChildProcess): Promise<{ kind: string; url: string }> {
      for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
        return JSON.parse(line) as { kind: string; url: string };
      }
      throw new Error('main.ts printed nothing');
    }

    it.each(['SIGTERM', 'SIGKILL'] as const)(
      'prints the server as JSON, and removes it with its data on %s',
      async (signal) => {
        const child = startByHand();
        const ended = new Promise((done) => child.once('exit', (code, by) => done(code ?? by)));
        const announced = await firstLine(child);
        expect(announced.kind).toBe(kind);
        const { dataFolder } = await recipes[kind].ask(announced.url);
        child.kill(signal);
        expect(await ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
        await until(async () => !(await accepts('127.0.0.1', Number(new URL(announced.url).port))));
        await until(async () => !existsSync(dirname(dataFolder)));
      },
    );
  });
