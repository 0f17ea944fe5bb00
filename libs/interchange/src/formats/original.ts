import { createHash } from 'node:crypto';
import { foldCase, IMPORT_SOURCE, type Json, type JsonObject } from '#kernel';
import { bytesOf } from './encodings';
import {
  ASSET_TOKEN,
  assetToken,
  type ContentRecord,
  type Entry,
  type ItemRecord,
  NOT_SCORED,
  type Tag,
} from './entry';
import { type Outgoing, type StoredAsset, type WriteContext } from './format';
import { listOf, objectOf, textOf } from './members';

/*
 * The source of an imported item is a member of its metadata (decision 96). There it is not markup: `<` is written `^(`, so that
 * nothing shows it as a page, and the sanitiser leaves it as it is.
 */

/** A longer source is not kept: every read of its item would carry it. */
const MAX_LENGTH = 100_000;

export const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const escaped = (text: string): string => text.replace(/[\^<]/g, (sign) => (sign === '<' ? '^(' : '^^'));
const unescaped = (text: string): string => text.replace(/\^([(^])/g, (_, sign: string) => (sign === '(' ? '<' : '^'));

/** The entry with its source in the metadata of its item. */
export function withOriginal(entry: Entry): Entry {
  const { record, original } = entry;
  if (record?.kind !== 'item' || !original) return entry;
  const { format, markup, sha256, path, encoding, texts = [], files = [] } = original;
  const kept = {
    format,
    ...(path !== undefined && { path: escaped(path) }),
    markup: escaped(markup),
    sha256,
    ...(encoding !== undefined && { encoding }),
    ...(texts.length > 0 && {
      texts: texts.map((text) => ({ ...text, path: escaped(text.path), markup: escaped(text.markup) })),
    }),
    ...(files.length > 0 && {
      files: files.map((file) => ({ path: escaped(file.path), address: assetToken(file.asset) })),
    }),
  };
  if (JSON.stringify(kept).length > MAX_LENGTH) return entry;
  return { ...entry, record: { ...record, metadata: { ...record.metadata, [IMPORT_SOURCE]: kept } } };
}

/** A record without the source of its item. */
export function withoutOriginal<T extends ContentRecord>(record: T): T {
  if (record.kind !== 'item' || record.metadata?.[IMPORT_SOURCE] === undefined) return record;
  const { [IMPORT_SOURCE]: _, ...others } = record.metadata;
  const { metadata: __, ...members } = record;
  return { ...members, ...(Object.keys(others).length > 0 && { metadata: others }) } as T;
}

interface RestoredText {
  markup: string;
  /** The markup in its encoding. */
  bytes: Buffer;
  /** Empty where items have no files of their own. */
  path: string;
}

/** The source of an item as its package had it. */
export interface RestoredOriginal extends RestoredText {
  texts: RestoredText[];
  files: { path: string; asset: StoredAsset }[];
}

/**
 * The source of a record that is unchanged since its import.
 * @returns undefined when the record has no source in this format, or its files have changed.
 */
export async function restoredOriginal(
  format: string,
  { record, isAsImported }: Outgoing,
  context: WriteContext,
): Promise<RestoredOriginal | undefined> {
  if (record.kind !== 'item' || !isAsImported) return undefined;
  const assets = new Map<string, StoredAsset>();
  const kept = await context.withAssets(objectOf(record.metadata?.[IMPORT_SOURCE]), (asset) => {
    assets.set(asset.name, asset);
    return assetToken(asset.name);
  });
  if (kept.format !== format) return undefined;
  const markup = unescaped(await withFiles(textOf(kept.markup), assets));
  if (sha256Of(markup) !== kept.sha256) return undefined;
  const own = restoredText(kept, markup);
  const texts = listOf(kept.texts).map((text) => restoredText(text, unescaped(textOf(objectOf(text).markup))));
  const files = listOf(kept.files).flatMap((file) => {
    const asset = assets.get(textOf(objectOf(file).address).replace(assetToken(''), ''));
    return asset ? [{ path: pathIn(file), asset }] : [];
  });
  if (!own || !texts.every((text) => text !== undefined)) return undefined;
  const paths = [...(kept.path === undefined ? [] : [own.path]), ...[...texts, ...files].map((file) => file.path)];
  return paths.every(isSafe) && new Set(paths).size === paths.length ? { ...own, texts, files } : undefined;
}

function restoredText(kept: Json, markup: string): RestoredText | undefined {
  const bytes = bytesOf({ text: markup, encoding: textOf(objectOf(kept).encoding) || 'utf-8' });
  return bytes && { markup, bytes, path: pathIn(kept) };
}

/** Replaces the tokens in markup by their files in base64. */
async function withFiles(markup: string, assets: ReadonlyMap<string, StoredAsset>): Promise<string> {
  const contents = new Map<string, string>();
  for (const [, name] of markup.matchAll(ASSET_TOKEN))
    if (!contents.has(name!)) contents.set(name!, (await assets.get(name!)?.read())?.toString('base64') ?? '');
  return markup.replace(ASSET_TOKEN, (_, name: string) => contents.get(name)!);
}

const pathIn = (value: Json): string => unescaped(textOf(objectOf(value).path));

/** Callers may write metadata too, so a path may be anything. */
const isSafe = (path: string): boolean =>
  path !== '' &&
  path.length <= 500 &&
  path.isWellFormed() &&
  !/[\\:\p{Cc}]/u.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** The content of an item in a form for comparison. It does not depend on the installation, or on the order of sets. */
export function comparable(format: string, reference: string, record: ItemRecord): Json {
  const { title, description, note, source, status, metadata, tags, adaptive, dynamic_content_data: dynamic } = record;
  const { [IMPORT_SOURCE]: _, ...others } = metadata ?? {};
  const widgets = record.widgets.map((widget) => [widget.reference, widget.type, widget.data, widget.metadata ?? null]);
  // A QTI package holds all other members in a file beside the item.
  const beside = [
    description ?? '',
    source ?? '',
    status === 'archived',
    (tags ?? [])
      .map(sameTag)
      .filter((tag) => tag !== sameTag(NOT_SCORED))
      .sort(),
    hasMembers(adaptive) ? adaptive! : null,
    dynamic ?? null,
  ];
  return [
    reference,
    title ?? '',
    note ?? '',
    record.definition ?? { widgets: record.widgets.map((widget) => ({ reference: widget.reference })) },
    widgets.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
    [...(record.features ?? [])].sort(),
    Object.keys(others).length > 0 ? others : null,
    ...(format === 'moodle-xml' ? beside : []),
  ] as Json;
}

const sameTag = ({ type, name }: Tag): string => foldCase(`${type}: ${name}`);

const hasMembers = (object: JsonObject | undefined): boolean =>
  Object.values(object ?? {}).some((value) => value !== null);
