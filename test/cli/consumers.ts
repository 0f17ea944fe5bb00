import { type Client } from '../support/client';

/** A service reads consumers again every few seconds. After this many attempts it must know a change. */
const MAX_ATTEMPTS = 100;

/** Repeats a call until its error code is `expected`, for a limited time. Returns the code; success has none. */
export async function waitForCode(client: Client, expected: number | undefined): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const { code } = (await client.get('itembank/items')).meta;
    if (code === expected || attempt === MAX_ATTEMPTS) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
