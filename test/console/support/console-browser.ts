import { type Browser, type BrowserContext, chromium, type Dialog, type Page, type Request } from 'playwright-core';
import { People, type Role, SignIns } from '#people';
import { AXE, COLOUR_RULES } from '../../support/axe';
import { ensureBuilt } from '../../support/built';
import { type Engine } from '../../support/engines';
import { expectSoon } from '../../support/expect-soon';
import { startService, type TestService } from '../../support/service';
import { HANG_MS } from '../../support/until';

const DEFAULT_ORGANISATION = 1;

/** The options of a window. */
interface WindowOptions {
  scheme: 'light' | 'dark';
  width: number;
  language: string;
}

/** The window that a test wants. */
interface Wanted extends Partial<WindowOptions> {
  /** Whether errors in the window are a part of the test. */
  mayFail?: boolean;
}

/** A window with cookies and storage of its own. */
interface Window {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts and violations of the content policy since the sign-in. */
  errors: string[];
}

/** A window with a person who is signed in. */
export interface SignedIn extends Window {
  email: string;
  /** Signs out, and lets the next person use the window before the test ends. */
  close(): Promise<void>;
}

const HEIGHT = 900;

/** A real browser on the console of a real service. */
export class ConsoleBrowser {
  /** CONSOLE_ENGINE=mariadb runs the suites of the console on another database. */
  readonly engine = (process.env.CONSOLE_ENGINE ?? 'sqlite') as Engine;
  service!: TestService;
  private browser!: Browser;
  /** The windows that people use, with their options. */
  private readonly used = new Map<Window, WindowOptions>();
  /** Errors of windows that were left. */
  private readonly errors: string[] = [];
  /** Emptied windows by their options. A window that has shown the console shows it again in half the processor time of a new one. */
  private readonly free = new Map<string, Window[]>();

  /**
   * Opens before the tests of a suite, and closes after them. After each test, it empties the windows, and fails if
   * there was an error in one.
   */
  static ofSuite(environment: Record<string, string> = {}): ConsoleBrowser {
    const browser = new ConsoleBrowser();
    beforeAll(() => browser.open(environment));
    afterEach(async () => {
      for (const window of browser.used.keys()) await browser.leave(window);
      expect(browser.errors.splice(0)).toEqual([]);
    });
    afterAll(() => browser.close());
    return browser;
  }

  /** @param environment settings of the service, or a service that runs. `close` closes both. */
  async open(environment: Record<string, string> | TestService = {}): Promise<void> {
    ensureBuilt();
    this.service = isService(environment) ? environment : await startService(this.engine, environment);
    this.browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
  }

  async close(): Promise<void> {
    await this.browser?.close();
    await this.service?.close();
  }

  /** A window in which a new person with these roles is signed in. */
  async signIn(
    roles: readonly Role[],
    { password, ...wanted }: Wanted & { password?: string } = {},
  ): Promise<SignedIn> {
    const people = this.service.get(People);
    const email = `${roles.join('-')}-${Math.random().toString(36).slice(2)}@example.org`;
    const person = await people.create({
      email,
      firstname: 'Ada',
      lastname: roles[0],
      roles: new Map([[DEFAULT_ORGANISATION, [...roles]]]),
    });
    const window = await this.visitor(wanted);
    const { secret } = await this.service
      .get(SignIns)
      .newLink(person.id, password === undefined ? 'sign-in' : 'invitation');
    const cookie = await this.service.get(SignIns).withLink(secret, password, email, 'test');
    await window.context.addCookies([
      { name: 'itembank-local', value: cookie, url: this.service.url, httpOnly: true, sameSite: 'Strict' },
    ]);
    return { ...window, email };
  }

  /** A window in which nobody is signed in. */
  async visitor({ scheme = 'light', width = 1280, language = 'en', mayFail = false }: Wanted = {}) {
    const options = { scheme, width, language };
    const window = this.free.get(JSON.stringify(options))?.pop() ?? (await this.newWindow(options));
    watch(window, mayFail);
    this.used.set(window, options);
    return { ...window, close: () => this.leave(window) };
  }

  private async newWindow({ scheme, width, language }: WindowOptions): Promise<Window> {
    const context = await this.browser.newContext({
      viewport: { width, height: HEIGHT },
      colorScheme: scheme,
      locale: language,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(HANG_MS);
    return { context, page: await context.newPage(), errors: [] };
  }

  /** Empties a window. */
  private async leave(window: Window): Promise<void> {
    const { context, page, errors } = window;
    const options = this.used.get(window)!;
    this.used.delete(window);
    this.errors.push(...errors);
    page.removeAllListeners();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    await context.clearCookies();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin: this.service.url, storageTypes: 'all' });
    await devtools.detach();
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width: options.width, height: HEIGHT });
    await page.emulateMedia({ colorScheme: options.scheme });
    const key = JSON.stringify(options);
    this.free.set(key, [...(this.free.get(key) ?? []), { context, page, errors: [] }]);
  }

  /** Opens an address below /console, and waits until its content is there. A click on what still moves would go astray. */
  async visit(page: Page, path: string): Promise<void> {
    await page.goto(`${this.service.url}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loaded(page);
  }

  /**
   * Goes from a screen to another address below /console, as a link does, and waits until it is loaded. The scripts of the
   * page and of axe stay loaded, so this takes a third of the processor time of a visit.
   */
  async follow(page: Page, path: string): Promise<void> {
    // The router shows itself to the tools of developers under this name.
    await page.evaluate<void, string>(
      (href) => (globalThis as never as Routed).__TSR_ROUTER__.navigate({ href }),
      `/console${path}`,
    );
    await settled(page);
  }
}

/** The globals of the console. */
interface Routed {
  __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> };
}

/** The requests of a page that have not ended. */
const openRequests = new WeakMap<Page, Set<Request>>();

/** What a page shows while its content is loading. When the content comes, it moves what is below. */
const PLACEHOLDERS = '.mantine-Skeleton-root, .mantine-Loader-root, iframe[aria-busy=true]';

const loaded = (page: Page) => page.locator(PLACEHOLDERS).first().waitFor({ state: 'detached' });

/** Answers each question that the browser itself asks, as `answer` says at that time. */
export function answerQuestions(page: Page): { asked: Dialog[]; answer: 'accept' | 'dismiss' } {
  const questions = { asked: [] as Dialog[], answer: 'dismiss' as 'accept' | 'dismiss' };
  page.on('dialog', (question) => {
    questions.asked.push(question);
    void question[questions.answer]();
  });
  return questions;
}

/**
 * Waits until the page and its frames load nothing any more, and no answer has led to another request. Playwright's
 * `networkidle` counts a request for ever if its frame was replaced.
 */
export async function settled(page: Page): Promise<void> {
  const isIdle = async () => openRequests.get(page)!.size === 0 && (await page.locator(PLACEHOLDERS).count()) === 0;
  for (let idle = 0; idle < 3; idle = (await isIdle()) ? idle + 1 : 0) await page.waitForTimeout(50);
}

/**
 * Comes back to the window a minute later by the clock of the page, which may be ahead since an earlier test. The page then
 * reads again what it shows; waits for the answer of `path`.
 */
export async function comeBack(page: Page, path: string): Promise<void> {
  const isRead = page.waitForResponse((response) => response.url().endsWith(path));
  await page.clock.setFixedTime((await page.evaluate<number>('Date.now()')) + 60_000);
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  await isRead;
}

const isService = (place: Record<string, string> | TestService): place is TestService => 'database' in place;

function watch({ page, errors }: Window, mayFail: boolean): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  // The end of a request may not be told any more when its frame is gone.
  page.on('framedetached', (frame) => {
    for (const request of open) if (request.frame() === frame) open.delete(request);
  });
  if (mayFail) return;
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|requires 'Trusted/.test(message.text()))
      errors.push(message.text());
  });
}

/** Waits until the page says that the item is saved. */
export const saved = (page: Page) =>
  page
    .getByText(/^Saved/)
    .first()
    .waitFor();

/** Rules for whole pages. A frame is part of the page around it. */
const OF_PAGES = ['page-has-heading-one', 'region', 'landmark-one-main', 'bypass'];

/**
 * Returns the faults that axe finds on the page and in its frames, by the rules of WCAG 2.2 A and AA and by best
 * practices.
 * @param runOnly the rules; absent: all of them.
 */
export async function barriers(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  // A script that runs in a frame is lost when the frame loads.
  await loaded(page);
  for (const frame of page.frames()) {
    const off = frame === page.mainFrame() ? [] : OF_PAGES;
    const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
    if (!(await frame.evaluate<boolean>('"axe" in globalThis'))) await frame.evaluate(AXE);
    found.push(
      ...(await frame.evaluate<string[]>(
        `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], iframes: false, rules, runOnly })}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 300)).join(' ')))`,
      )),
    );
  }
  return found;
}

/** Returns the faults that axe finds in light colours and then in dark ones. Leaves the page in light colours. */
export async function barriersInBothSchemes(page: Page): Promise<string[]> {
  const light = await barriers(page);
  await changeColours(page, 'dark');
  const dark = await barriers(page, COLOUR_RULES);
  await changeColours(page, 'light');
  return [...light, ...dark.map((each) => `dark: ${each}`)];
}

/**
 * Tests a screen for operators in both colour schemes and languages, at two widths: axe finds no barriers, and it needs
 * no scrolling to the side.
 * @param show shows the screen, and calls `check` for each of its states.
 */
export function testForBarriers(
  console: ConsoleBrowser,
  show: (page: Page, check: () => Promise<void>, language: 'en' | 'de') => Promise<void>,
): void {
  it.each([
    ['light', 1280, 'en'],
    ['dark', 1280, 'de'],
    ['light', 320, 'de'],
    ['dark', 320, 'en'],
  ] as const)('has no barriers that axe finds, in %s colours at %i pixels in %s', async (scheme, width, language) => {
    const { close, page } = await console.signIn(['operator'], { scheme, width, language });
    const check = async () => {
      expect([page.url(), await barriers(page)]).toEqual([page.url(), []]);
      await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    await show(page, check, language);
    await close();
  });
}

/** Waits until the page and its frames have the colours. */
async function changeColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  for (const frame of page.frames())
    if (frame !== page.mainFrame())
      await frame.locator(`html[style*="color-scheme: ${colorScheme}"]`).waitFor({ state: 'attached' });
}
