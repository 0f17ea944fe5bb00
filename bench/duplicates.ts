import { type BenchDatabase, note } from './databases';
import { ask, load } from './load';
import { median } from './measure';
import { blockOf, type Caller, editionOf, prepare, type Prepared, references } from './requests';
import { questionBody, questionReference, QUESTIONS_PER_ITEM } from './seed';

interface Size {
  items: number;
  rounds: number;
  seconds: number;
  blocks: number;
}

const PATH = 'itembank/items/duplicate';
/** The requests that set as many records: one for the items, and two for their questions, each with 50 records. */
const SETS = 1 + QUESTIONS_PER_ITEM;

/**
 * Compares copying 50 items and their questions with setting as many. Both write the same number of documents and
 * revisions. Returns a row of a table and leaves the bank as it was.
 */
export async function duplicates(
  port: number,
  caller: Caller,
  { engine, pool }: Pick<BenchDatabase, 'engine' | 'pool'>,
  size: Size,
): Promise<string[]> {
  const copies = inTurn(
    Array.from({ length: 200 }, (_, number) => {
      const items = references(number, size.items).map((reference) => ({ reference }));
      return prepare(caller, 'set', { items }, PATH);
    }),
  );
  const { data } = await ask(port, copies());
  if (Object.keys(data).length !== 50) throw new Error('The answer to a duplicate does not contain 50 copies.');
  const rates: Record<'copied' | 'set', number[]> = { copied: [], set: [] };
  const sets = inTurn([0, 1].flatMap((edition) => setsOf(caller, size, edition)));
  await load(port, copies, size.seconds / 2);
  for (let round = 0; round < size.rounds; round++) {
    rates.copied.push((await load(port, copies, size.seconds)).perSecond);
    rates.set.push((await load(port, sets, size.seconds)).perSecond / SETS);
    note(`${engine}: duplicates ${rates.copied.at(-1)!.toFixed(0)}/s, sets ${rates.set.at(-1)!.toFixed(0)}/s`);
  }
  await removeCopies(pool(1));
  const ratios = rates.copied.map((rate, round) => rate / rates.set[round]!);
  return [
    'duplicate 50 items of 2 questions',
    engine,
    ...[rates.set, rates.copied].map((list) => median(list).toFixed(0)),
    ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)),
  ];
}

/** Groups of three requests: one sets 50 items, and two set their questions. The next edition changes all of them. */
function setsOf(caller: Caller, { items, blocks }: Size, edition: number): Prepared[] {
  return Array.from({ length: blocks }, (_, block) => blockOf(block, Math.floor(items / 50))).flatMap((indexes) => [
    prepare(caller, 'set', { items: indexes.map((index) => editionOf(index, edition)) }),
    ...Array.from({ length: QUESTIONS_PER_ITEM }, (_, position) => {
      const questions = indexes.map((index) => {
        const body = questionBody(index, position);
        const data = { ...(body.data as object), edition };
        return { ...body, reference: questionReference(index, position), data };
      });
      return prepare(caller, 'set', { questions }, 'itembank/questions');
    }),
  ]);
}

function inTurn(requests: Prepared[]): () => Prepared {
  let next = 0;
  return () => requests[next++ % requests.length]!;
}

/** Removes the copies, because other measurements count the items. */
async function removeCopies(pool: ReturnType<BenchDatabase['pool']>): Promise<void> {
  const copy = `SELECT v.organisation_id, v.record_id, v.document_id, v.kind FROM revision v
    WHERE v.operation = 'set ${PATH}'`;
  const by = (table: string, column: string, value: string) =>
    `DELETE t FROM ${table} t JOIN (${copy}) c ON c.organisation_id = t.organisation_id AND c.${value} = t.${column}`;
  await pool.query(by('document', 'id', 'document_id'));
  await pool.query(`${by('bank_record', 'id', 'record_id')} AND c.kind = t.kind`);
  await pool.query(`${by('bank_tag', 'record_id', 'record_id')} AND c.kind = t.kind`);
  await pool.query(`DELETE FROM revision WHERE operation = 'set ${PATH}'`);
  await pool.end();
}
