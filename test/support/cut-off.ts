import type { Page, Route } from 'playwright-core';
import { until } from './until';

/**
 * Fails the calls of a loaded page to these addresses, until `page.unroute(addresses)`. The browser may still let a call
 * pass after it has accepted a route, so this waits until one fails.
 * @param addresses a pattern that begins with `**`.
 */
export async function cutOff(page: Page, addresses: `**/${string}`): Promise<void> {
  await page.route(addresses, (route) => route.abort());
  const address = JSON.stringify(addresses.replaceAll('**', ''));
  await until(() => page.evaluate<true | undefined>(`fetch(${address}).then(() => undefined, () => true)`));
}

/** Addresses that no page calls. */
const PROBE = '**/is-intercepted';

/** Gives all calls of a loaded page to these addresses to `answer`, until `page.unroute(addresses)`. */
export async function intercept(
  page: Page,
  addresses: string,
  answer: (route: Route) => Promise<unknown> | void,
): Promise<void> {
  await page.route(addresses, answer);
  // Once the browser cuts off this address, it intercepts the others too.
  await cutOff(page, PROBE);
  await page.unroute(PROBE);
}

/**
 * Lets the calls of a loaded page to this address reach the service, and loses the answers.
 * @returns a function that lets the answers through again.
 */
export async function loseAnswers(page: Page, address: `**/${string}`): Promise<() => Promise<void>> {
  await intercept(page, address, async (route) => {
    await route.fetch();
    await route.abort();
  });
  return () => page.unroute(address);
}
