import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { types } from 'mime-types';
import { type Browser, chromium } from 'playwright-core';

const root = resolve(__dirname, '../../..');

/** Forbids other hosts and inline code, because the documentation says that questions work with this policy. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'";

/** The page of questions on the loopback address, and a browser; one for each suite. */
export interface Served {
  browser: Browser;
  address: string;
  close(): Promise<void>;
}

export async function servedPage(): Promise<Served> {
  const folder = builtPage();
  const server = await serve(folder);
  const browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
  return {
    browser,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * The first suite of a run that needs the page builds it for all. Two suites at once both build it, and one result
 * stays.
 */
function builtPage(): string {
  const folder = join(process.env.TEST_MIGRATED!, 'question-page');
  if (existsSync(folder)) return folder;
  const partial = `${folder}-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const config = join(root, 'test/renderer/page/vite.config.mjs');
  const built = spawnSync(process.execPath, [vite, 'build', '--config', config, '--outDir', partial], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (built.status !== 0) throw new Error(`The page of questions cannot be built:\n${built.stdout}${built.stderr}`);
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(partial, { recursive: true });
  }
  return folder;
}

function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://page').pathname;
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': types[file.split('.').at(-1)!] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
    });
    response.end(readFileSync(file));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}
