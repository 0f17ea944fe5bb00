import { Fault, type JsonObject, parseObject } from '#kernel';
import { type Asset, ASSET_TOKEN, assetToken, type Entry, type ImportRecord } from '../entry';
import { type Format, type Outgoing, type OutgoingSetup, type StoredAsset, type WriteContext } from '../format';
import { filesOf, someFile } from '../files';
import { note } from '../note';
import { beginningOf, type Source } from '../source';

const NAME = /\.(ndjson|jsonl)$/i;
const KINDS = ['tag', 'hierarchy', 'workflow', 'item', 'activity', 'question', 'feature', 'tags', 'pool'];
/** The first record of a file without the usual name. */
const BEGINNING = new RegExp(`^\\s*\\{[^\\n]*"kind"\\s*:\\s*"(${KINDS.join('|')})"`);

/** NDJSON: one record per line, and files below `assets/` (docs/ndjson.md). */
export const ndjson: Format = {
  name: 'ndjson',
  async recognises(source) {
    if (source.paths.some((path) => NAME.test(path))) return true;
    return someFile(source, filesOf(source, NAME).slice(0, 1), (bytes) => BEGINNING.test(beginningOf(bytes)));
  },
  async *read(source) {
    for (const path of filesOf(source, NAME)) yield* entriesIn(source, path);
  },
  async *write(records, context) {
    const assets = new Map<string, StoredAsset>();
    const { beforeItems, afterItems } = context.setup;
    yield { path: 'bank.ndjson', content: linesOf([beforeItems, records, afterItems], context, assets) };
    for (const { name, read } of assets.values()) yield { path: `assets/${name}`, content: contentOf(read) };
  },
};

async function* linesOf(
  parts: readonly AsyncIterable<Outgoing | OutgoingSetup>[],
  context: WriteContext,
  assets: Map<string, StoredAsset>,
): AsyncGenerator<string> {
  for (const records of parts)
    for await (const { reference, record } of records) {
      const { kind, ...members } = record;
      const line = await context.withAssets({ kind, reference, ...members } as unknown as JsonObject, (asset) => {
        assets.set(asset.name, asset);
        return assetToken(asset.name);
      });
      yield `${JSON.stringify(line)}\n`;
    }
}

async function* contentOf(read: StoredAsset['read']): AsyncGenerator<Buffer> {
  yield await read();
}

async function* entriesIn(source: Source, path: string): AsyncGenerator<Entry> {
  let number = 0;
  for await (const line of source.lines(path)) {
    number++;
    if (line.trim() !== '') yield entryOf(line.replace(/^\uFEFF/, ''), `${path}:${number}`);
  }
}

function entryOf(line: string, source: string): Entry {
  const refused = (reason: string): Entry => ({
    source,
    reference: '',
    record: null,
    notes: [note('entry-unreadable', source, reason)],
    assets: [],
  });
  try {
    const { reference, ...record } = parseObject(line, 'The line', 'the members of a record');
    if (typeof reference !== 'string') return refused('`reference` is missing');
    if (!KINDS.includes(record.kind as string)) return refused(`\`kind\` is none of ${KINDS.join(', ')}`);
    return { source, reference, record: record as unknown as ImportRecord, notes: [], assets: assetsIn(line) };
  } catch (error) {
    if (error instanceof Fault) return refused(error.message);
    throw error;
  }
}

function assetsIn(line: string): Asset[] {
  const names = new Set([...line.matchAll(ASSET_TOKEN)].map(([, name]) => name!));
  return [...names].map((name) => ({ name, from: { path: `assets/${name}` } }));
}
