import { type Client } from '../support/client';

/** A service reads consumers anew every few seconds; one that has not heard of a change by then never will. */
const ATTEMPTS = 100;

/** The code with which calls are answered, undefined for success: `expected` as soon as it is that one. */
export async function codeOf(client: Client, expected: number | undefined): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const { code } = (await client.get('itembank/items')).meta;
    if (code === expected || attempt === ATTEMPTS) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
