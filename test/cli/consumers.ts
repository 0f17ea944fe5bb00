import { type Client } from '../support/client';
import { until } from '../support/until';

/** Repeats a call until its error code is `expected`, because a service reads consumers again only every few seconds. */
export async function waitForCode(client: Client, expected: number | undefined): Promise<void> {
  await until(async () => (await client.get('itembank/items')).meta.code === expected);
}
