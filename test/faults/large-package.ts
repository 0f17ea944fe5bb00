import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Files } from '#platform';
import { type Answer } from '../support/client';
import { type TestService } from '../support/service';
import { SECOND } from '../support/time';
import { sha256, unzip } from '../support/unzip';
import { until } from '../support/until';

/*
 * A package that takes long to write, so that tests can interrupt it. The functions do not need Jest, so any process can
 * use it.
 */

const MB = 1024 * 1024;
/** The size of the asset in the package. It needs more than two parts of an upload. */
export const ASSET_BYTES = 40 * MB;

/** A job as the API shows it. */
export interface ShownJob {
  status: string;
  // Results differ by type of job.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  results: any;
  error?: { code: number; message: string };
}

function dataOf({ meta, data }: Answer) {
  if (!meta.status) throw new Error(`${meta.code}: ${meta.message}`);
  return data;
}

/**
 * Creates an item that shows a large picture. Returns the hash of the picture.
 * @param day differs between the services of a process, in which ids never decrease.
 */
export async function fillBank({ client, clock, get }: TestService, day: number): Promise<string> {
  clock.advance(day * 24 * 3600 * SECOND);
  const name = { area: 'public', owner: 1, key: 'large.png' } as const;
  const content = randomBytes(ASSET_BYTES);
  await get(Files).write(name, Readable.from([content]), 'image/png');
  const picture = await get(Files).publicAddress(name);
  dataOf(await client.set('itembank/questions', { questions: [{ reference: 'q', type: 'mcq', data: { picture } }] }));
  const item = { reference: 'i', status: 'published', definition: { widgets: [{ reference: 'q' }] } };
  dataOf(await client.set('itembank/items', { items: [item] }));
  clock.advance(10 * SECOND);
  return sha256(content);
}

/** Starts a job that packages the item. Returns its reference. */
export async function startPackage({ client }: TestService): Promise<string> {
  const data = dataOf(await client.get('itembank/offlinepackage', { item_references: ['i'] }));
  return (data as { job_reference: string }[])[0]!.job_reference;
}

/**
 * Waits for the end of the job. Advances the clock past the pauses between attempts, but not during an attempt: on a slow
 * machine, its lease would expire.
 */
export function waitForEnd({ client, clock }: TestService, reference: string): Promise<ShownJob> {
  return until(async () => {
    const [job] = dataOf(await client.get('jobs', { references: [reference] })) as ShownJob[];
    if (job!.status === 'queued') clock.advance(SECOND);
    return ['completed', 'halted'].includes(job!.status) ? job : undefined;
  });
}

/** The hash of the picture in the package of a job. */
export async function hashOfPicture({ results }: ShownJob): Promise<string> {
  const response = await fetch(results.address as string);
  const files = await unzip(Buffer.from(await response.arrayBuffer()));
  const path = [...files.keys()].find((each) => each.startsWith('assets/'));
  return path === undefined ? 'none' : sha256(files.get(path)!);
}

/** Reads the stored rows of job files. */
export const jobFileRows = ({ database }: TestService) => database.rows('SELECT id, due_at FROM job_file');
