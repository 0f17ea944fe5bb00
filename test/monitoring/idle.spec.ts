import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');

describe('a start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'itembank-idle-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('loads no code for metrics and traces unless they are configured', async () => {
    const script = `
      require('reflect-metadata');
      const { Config } = require('#platform');
      const { createService } = require('${root}/apps/api/src/service');
      createService(Config.read()).then(async (app) => {
        await app.close();
        const files = Object.keys(require.cache).filter((file) => file.includes('node_modules'));
        console.log(JSON.stringify(files.map((file) => file.slice(file.lastIndexOf('node_modules/') + 13))));
        process.exit(0);
      });`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['-r', join(root, 'test/support/ts.cjs'), '-e', script],
      {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: `file:${join(folder, 'itembank.sqlite')}`,
          SECRETS_KEY: '11'.repeat(32),
        },
      },
    );
    const loaded = JSON.parse(stdout.trim().split('\n').at(-1)!) as string[];
    expect(loaded.some((file) => file.startsWith('pino/'))).toBe(true);
    expect(loaded.filter((file) => /^(@opentelemetry|prom-client)\//.test(file))).toEqual([]);
  });
});
