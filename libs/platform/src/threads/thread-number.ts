import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The system's number of the calling thread. Only Linux has it; elsewhere undefined. */
export function threadNumber(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}
