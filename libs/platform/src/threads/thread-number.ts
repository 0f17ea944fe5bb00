import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The number by which the system knows the thread that asks; undefined where it does not tell, as only Linux does. */
export function threadNumber(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}
