import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { People, type Role, SignIns } from '#people';
import { type TestService } from '../../support/service';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A browser that shows the console of a service. */
export class ConsoleBrowser {
  private browser!: Browser;
  private readonly contexts: BrowserContext[] = [];

  constructor(private readonly service: () => TestService) {}

  async open(): Promise<void> {
    this.browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** Signs a new person with these roles in organisation 1 in, by a link. */
  async signedIn(roles: readonly Role[], colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const service = this.service();
    // Sign-ins are limited within a few seconds.
    service.clock.advance(6_000);
    const email = `person-${this.contexts.length}@example.org`;
    const names = { firstname: 'Ada', lastname: 'King' };
    const person = await service.get(People).create({ email, ...names, roles: new Map([[1, roles]]) });
    const { secret } = await service.get(SignIns).newLink(person, 'sign-in');
    const context = await this.browser.newContext({ colorScheme, locale: 'en', reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    this.contexts.push(context);
    const page = await context.newPage();
    await page.goto(`${service.url}/console/link#${secret}`);
    await page.getByRole('button').first().click();
    await page.getByRole('navigation').waitFor();
    return page;
  }

  async visit(page: Page, address: string): Promise<void> {
    await page.goto(`${this.service().url}/console${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
}

/** What axe finds on the page. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}
