import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type Content, write } from '../support/bank';
import { ensureBuilt } from '../support/built';
import { signedStart } from '../support/page';
import { startService, type TestService } from '../support/service';
import { MINUTE } from '../support/time';
import { HANG_MS } from '../support/until';
import { giveSilence } from './sound';

// The contents of a session differ by question type, and tests access them freely.
/* eslint-disable @typescript-eslint/no-explicit-any */

/**
 * The page of an integrator: its own host, a strict content policy, the script of the service, and a signed request.
 */
export class HostPage {
  service!: TestService;
  /** The browser of the learner of the present test. */
  context!: BrowserContext;
  private server!: Server;
  private browser!: Browser;
  private script = '';
  private body = '';

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      const service = this.service.url;
      const policy =
        `default-src 'none'; script-src 'self' ${service}; style-src 'self' ${service}; font-src ${service}; ` +
        `img-src 'self' data: https:; media-src https:; connect-src ${service}`;
      if (request.url === '/page.js') response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(this.script);
      else if (request.url?.startsWith('/after'))
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>After</h1>');
      else if (request.url === '/' || request.url?.startsWith('/?'))
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }).end(
          `<!DOCTYPE html><html lang="en"><head><title>A test</title></head><body><main><h1>A school</h1>${this.body}</main>
<script src="${service}/player/items.js?v2026.1.LTS"></script><script src="/page.js"></script></body></html>`,
        );
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
  }

  async close(): Promise<void> {
    await this.browser?.close();
    this.server?.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Begins with another learner: a browser context without cookies and stored data. */
  async newLearner(): Promise<void> {
    this.context = await this.browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
    this.context.setDefaultTimeout(HANG_MS);
    // The message of a sound that fails would move the question below it.
    await this.context.route('https://example.org/*.mp3', (route) => giveSilence(route));
  }

  /** Stops the clock of the pages that the learner opens. Only the test moves it, however long a slow machine takes. */
  async stopClock(): Promise<void> {
    await this.context.clock.install();
    await this.context.clock.pauseAt(Date.now() + MINUTE);
  }

  /** The stored session, as clients read it. */
  async session(id: string): Promise<any> {
    const { data } = await this.service.client.get('sessions/responses', { session_id: [id] });
    return data[0];
  }

  /**
   * Opens the page with the request that the integrator's server signed. `heard` collects errors and events of the
   * page.
   */
  async visit(
    request: object,
    {
      body = '<div id="learnosity_assess"></div>',
      init = 'LearnosityItems.init(signed, callbacks)',
      asText = true,
      slowdown = 1,
    } = {},
  ): Promise<Page> {
    const { context, service } = this;
    const signed = signedStart(service.client, service.clock.now(), request);
    const printed = asText ? signed : { ...signed, request: JSON.parse(signed.request) as object };
    this.body = body;
    this.script = `
      globalThis.heard = [];
      const signed = ${JSON.stringify(printed)};
      const callbacks = {
        readyListener: () => heard.push('ready'),
        errorListener: (error) => heard.push('error ' + error.code + ' ' + error.msg),
      };
      globalThis.app = ${init};
      app?.on('all', (name) => heard.push(name));`;
    const page = await context.newPage();
    if (slowdown > 1)
      await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(`${this.origin}/`);
    return page;
  }
}

/** The page of an integrator, on a service with this content, for the tests of a file. Each test has its own learner. */
export function hostPageWith(content: Content): HostPage {
  const host = new HostPage();
  beforeAll(async () => {
    ensureBuilt();
    host.service = await startService('sqlite');
    await host.open();
    await write(host.service.client, content);
  });
  afterAll(async () => {
    await host.close();
    await host.service?.close();
  });
  beforeEach(() => host.newLearner());
  afterEach(() => host.context.close());
  return host;
}

export const heard = (page: Page): Promise<string[]> => page.evaluate('heard');
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Waits until the page shows that all answers are saved. The same words may be in the announcement of an earlier save. */
export const allSaved = (page: Page) => page.locator('.itembank-saved').getByText('All answers are saved.').waitFor();
/** Texts of the page itself. The live region, which has styles of its own, keeps the last announcement, and may say the same. */
export const onPage = (texts: Locator) => texts.and(texts.page().locator(':not([role="status"][style])'));
export const radio = (page: Page, name: string) => page.getByRole('radio', { name });
export const group = (page: Page, name: string) => page.getByRole('group', { name });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** A test whose page saves only when it is asked to, however long a slow machine takes between two steps. */
export const BY_HAND = { navigation: { auto_save: false } };

/** Presses a button again before anything else can happen. Runs in the page. */
export const pressTwice = (element: { click(): void }): void => {
  element.click();
  element.click();
};

/** The value of each response of a session, or null where there is no answer. */
export const valuesOf = (session: any): unknown[] =>
  session.responses.map(({ response }: any) => response?.value ?? null);
