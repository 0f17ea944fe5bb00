import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Jobs } from '#jobs';
import { engines } from '../support/engines';
import { startService } from '../support/service';
import {
  ASSET_BYTES,
  startPackage,
  waitForEnd,
  fillBank,
  jobFileRows,
  hashOfPicture,
  type ShownJob,
} from './large-package';

/*
 * Runs a service whose files stop growing in the middle of a write, as on a full disk. A system limit on this process
 * causes this. It runs outside of Jest, because Jest would end with such an error. It prints the outcome for the
 * package as JSON.
 */

export interface FullDisk {
  halted: ShownJob;
  /** The names of the stored and the incoming files after the job halted. */
  folder: string[];
  uploads: string[];
  known: unknown[];
  /** The job after there was space again. */
  completed: ShownJob;
  samePicture: boolean;
}

function limitFileSize(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`]);
}

async function main(folder: string): Promise<void> {
  const service = await startService(engines[0]!, { ASSETS_URL: `file:${folder}` });
  const picture = await fillBank(service, 1);
  limitFileSize(ASSET_BYTES / 2);
  const reference = await startPackage(service);
  const halted = await waitForEnd(service, reference);
  const left = { folder: readdirSync(folder), uploads: readdirSync(join(folder, 'uploads')) };
  const known = await jobFileRows(service);
  limitFileSize('unlimited');
  await service.get(Jobs).retry({ organisation: 1, id: reference });
  const completed = await waitForEnd(service, reference);
  const samePicture = completed.status === 'completed' && (await hashOfPicture(completed)) === picture;
  await service.close();
  process.stdout.write(JSON.stringify({ halted, ...left, known, completed, samePicture } satisfies FullDisk));
}

void main(process.argv[2]!);
