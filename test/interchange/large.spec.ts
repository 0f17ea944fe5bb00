import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { commandHere } from '../support/command-line';
import { anEngine, type EmptyDatabase } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { type Settings } from '../support/processes';

/* The full run: LARGE_ITEMS=20000 LARGE_ASSETS=5000 LARGE_KILLS=20 npx jest test/interchange/large --testTimeout 7200000 */
const ITEMS = Number(process.env.LARGE_ITEMS ?? 900);
const ASSETS = Number(process.env.LARGE_ASSETS ?? 90);
const KILLS = Number(process.env.LARGE_KILLS ?? 3);
const MAX_MEGABYTES = 512;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe.each(anEngine(__filename))('a large package on %s', (engine) => {
  let database: EmptyDatabase;
  let folder: string;
  let settings: Settings;
  beforeAll(async () => {
    database = await migratedDatabase(engine);
    folder = mkdtempSync(join(tmpdir(), 'itembank-large-'));
    settings = { DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: '11'.repeat(32) };
    for (const id of ['1', '2'])
      expect((await commandHere(['organisation', 'create', id, 'Bank'], { settings })).code).toBe(0);
    await packed(join(folder, 'large.zip'));
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is imported completely although the import is killed once, and exported again, in little memory', async () => {
    const path = join(folder, 'large.zip');
    const entries = ITEMS + 1;
    let megabytes = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const ended = await killed(['import', path, '--apply', '--json'], (entries * kill) / (KILLS + 1));
      expect(ended.signal).toBe('SIGKILL');
      megabytes = Math.max(megabytes, ended.megabytes);
    }
    const last = await killed(['import', path, '--apply', '--json'], Infinity);
    expect(last.signal).toBeNull();
    const { created, skipped, refused } = JSON.parse(last.stdout) as Record<string, number>;
    expect([created! + skipped!, refused]).toEqual([entries, 0]);
    // The repeated import finds the records equal that were stored before the kill, and does not write them again.
    expect(skipped).toBeGreaterThan(0);
    const exported = await killed(['export', join(folder, 'again.zip'), '--json'], Infinity);
    expect(exported.signal).toBeNull();
    const again = await commandHere(['import', join(folder, 'again.zip'), '--organisation', '2', '--json'], {
      settings,
    });
    expect(JSON.parse(again.stdout)).toMatchObject({
      created: entries,
      refused: 0,
      notes: { lost: 0, approximated: 0 },
    });
    expect(Math.max(megabytes, last.megabytes, exported.megabytes)).toBeLessThan(MAX_MEGABYTES);
  });

  /** Runs a command in a process of its own, and kills it once it has printed so many entries. */
  function killed(
    args: readonly string[],
    after: number,
  ): Promise<{ stdout: string; signal: NodeJS.Signals | null; megabytes: number }> {
    const root = resolve(__dirname, '../..');
    const program = ['-r', join(root, 'test/support/ts.cjs'), join(root, 'apps/cli/src/main.ts'), ...args];
    const child = spawn(process.execPath, program, {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    let count = 0;
    let megabytes = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      count += text.split('\n').length - 1;
      megabytes = Math.max(megabytes, peakOf(child.pid!));
      if (count > after) child.kill('SIGKILL');
    });
    return new Promise((done) => child.on('close', (_, signal) => done({ stdout, signal, megabytes })));
  }
});

/** The largest resident memory of a process so far; 0 if the system does not report it, or if the process has ended. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Writes a package of items, of which some use a picture of their own, and a test. */
async function packed(path: string): Promise<void> {
  const lines = Array.from({ length: ITEMS }, (_, number) => {
    const image = number < ASSETS ? `<img src="itembank-asset:${number}/a.png">` : '';
    const data = {
      type: 'shorttext',
      stimulus: `${image}Number ${number}?`,
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: `${number}` } },
    };
    const widgets = [{ reference: `large-${number}_1`, type: 'shorttext', data }];
    return JSON.stringify({ kind: 'item', reference: `large-${number}`, title: `Item ${number}`, widgets });
  });
  lines.push(JSON.stringify({ kind: 'activity', reference: 'large-test', data: { items: ['large-0'] } }));
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(`${lines.join('\n')}\n`), 'bank.ndjson', { compress: false });
  for (let number = 0; number < ASSETS; number++)
    zip.addBuffer(Buffer.concat([PNG, Buffer.from(`picture ${number}`)]), `assets/${number}/a.png`);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}
