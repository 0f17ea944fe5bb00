import { type Client } from '../support/client';

/** A service reads consumers again every few seconds. After this many attempts it must know a change. */
const ATTEMPTS = 100;

/** The error code of a call, undefined for success. Waits until it is `expected`, for a limited time. */
export async function codeOf(client: Client, expected: number | undefined): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const { code } = (await client.get('itembank/items')).meta;
    if (code === expected || attempt === ATTEMPTS) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
