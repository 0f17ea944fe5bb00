import { imageSize } from 'image-size';
import { IMPORT_SOURCE, type Json, type JsonObject } from '#kernel';
import { type ActivityRecord, assetToken, type ContentRecord, type ItemRecord, type Widget } from '../../entry';
import { type Outgoing, type PackageFile, type StoredAsset, type WriteContext } from '../../format';
import { referenceFrom } from '../../names';
import { note, type NoteCode } from '../../note';
import { restoredOriginal, withoutOriginal } from '../../original';
import { parseXml } from '../../xml';
import { besideIn, markOf, recordFile, recordPath } from '../own';
import { ItemWriter } from './item';
import { hrefOf, manifestOf, type Resource } from './manifest';
import { OriginalFiles } from './originals';
import { objectOf, type Size, textOf } from './question';
import { testOf } from './test';
import { type Vocabulary } from './vocabulary';
import { xhtmlOf } from './xhtml';

/** The path to the media from the file of an item or a stimulus. */
export const MEDIA = '../media/';

type Note = (code: NoteCode, was: string) => void;

/** Writes a package: items, stimuli, tests and media, each with a resource in the manifest, which comes last. */
export class PackageWriter {
  private readonly resources: Resource[] = [];
  private readonly assets = new Map<string, StoredAsset>();
  private readonly sizes = new Map<string, Size>();
  /** Items by their references. */
  private readonly items = new Map<string, { identifier: string; path: string }>();
  private readonly originals: OriginalFiles;
  /** Marks of stimuli by the references of the passages. */
  private readonly stimuli = new Map<string, string>();

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly context: WriteContext,
  ) {
    this.originals = new OriginalFiles(vocabulary, this.resources);
  }

  async *files(records: AsyncIterable<Outgoing>): AsyncGenerator<PackageFile> {
    for await (const outgoing of records)
      for (const [path, content] of (await this.original(outgoing)) ?? (await this.write(outgoing)))
        yield { path, content: contentOf(content) };
    for (const [path, { read }] of this.originals.media) yield { path, content: contentOf(await read()) };
    for (const { name, read } of this.assets.values())
      yield { path: `media/${name}`, content: contentOf(await read()) };
    yield { path: 'imsmanifest.xml', content: manifestOf(this.vocabulary, this.resources) };
  }

  /** An item that is still as another program wrote it; undefined when it is not, or cannot be given back. */
  private async original(outgoing: Outgoing): Promise<[path: string, content: string | Buffer][] | undefined> {
    const found = await restoredOriginal(this.vocabulary.version === '3.0' ? 'qti' : 'qti-2.2', outgoing, this.context);
    if (!found) return undefined;
    const { reference } = outgoing;
    const record = withoutOriginal(outgoing.record) as ItemRecord;
    const identifier = identifierFrom(referenceFrom(reference));
    const placed = this.originals.place({ identifier, reference, record }, found);
    if (!placed) return undefined;
    noteUnsaid(besideIn(record), this.teller(reference));
    this.items.set(reference, { identifier, path: placed.path });
    return placed.files;
  }

  /** The value with tokens for the files of the bank, which become media of the package. */
  private async withTokens<T>(value: T): Promise<{ kept: T; used: ReadonlySet<string> }> {
    const used = new Set<string>();
    const kept = await this.context.withAssets(value as unknown as JsonObject, (asset) => {
      this.assets.set(asset.name, asset);
      used.add(asset.name);
      return assetToken(asset.name);
    });
    for (const name of used) this.addMedia(name);
    return { kept: kept as unknown as T, used };
  }

  private async write({ reference, record }: Outgoing): Promise<[path: string, text: string][]> {
    const { kept, used } = await this.withTokens(record);
    await this.measure([...used]);
    const tell = this.teller(reference);
    switch (kept.kind) {
      case 'item':
        return this.item(reference, kept, kept, tell, used);
      case 'question':
      case 'feature': {
        const widget: Widget = { reference, type: kept.type, data: kept.data };
        const item = {
          kind: 'item',
          widgets: [widget],
          ...(kept.kind === 'feature' && { features: [reference] }),
        } as const;
        return this.item(reference, kept, item as unknown as ItemRecord, tell, used);
      }
      case 'activity':
        return this.test(reference, kept, tell);
      case 'tags':
        tell('entry-unsupported', kept.kind);
        return [];
    }
  }

  /** Notes each thing of a record once. */
  private teller(reference: string): Note {
    const noted = new Set<string>();
    return (code, was) => {
      const found = note(code, reference, was);
      if (noted.has(`${code} ${found.was}`)) return;
      noted.add(`${code} ${found.was}`);
      this.context.note({ reference, ...found });
    };
  }

  private item(
    reference: string,
    record: ContentRecord,
    item: ItemRecord,
    tell: Note,
    used: ReadonlySet<string>,
  ): [string, string][] {
    const { vocabulary } = this;
    const name = referenceFrom(reference);
    const identifier = identifierFrom(name);
    const path = `items/${name}.xml`;
    const files: [string, string][] = [];
    const marks: string[] = [];
    const uses = [...used].map(mediaIdentifier);
    const writer = new ItemWriter(item, {
      vocabulary,
      identifier,
      media: MEDIA,
      sizes: this.sizes,
      note: tell,
      stimulus: (widget) => {
        if (vocabulary.version !== '3.0') return undefined;
        const { path: file, identifier: id, mark, xml } = this.stimulus(widget, tell);
        if (xml !== undefined) files.push([file, xml]);
        marks.push(mark);
        uses.push(id);
        return { identifier: id, href: `../${file}` };
      },
    });
    const xml = writer.write();
    noteUnsaid(item, tell);
    if (record.kind === 'item') this.items.set(reference, { identifier, path });
    const { title, tags = [], status } = item;
    const recordId = `${identifier}-record`;
    this.resources.push(
      {
        identifier,
        type: vocabulary.resourceType('item'),
        path,
        uses: [...uses, recordId],
        metadata: { tags, ...(title !== undefined && { title }), ...(status && { status }) },
      },
      { identifier: recordId, type: 'resourceextmetadata/xml', path: recordPath(path), uses: [] },
    );
    const mark = markOf(parseXml(xml, path), marks);
    return [...files, [path, xml], [recordPath(path), recordFile(reference, record, mark)]];
  }

  /** The file of a passage, which items share. Its text is given only once. */
  private stimulus(
    { reference, data }: Widget,
    tell: Note,
  ): { path: string; identifier: string; mark: string; xml?: string } {
    const { vocabulary: v } = this;
    const name = referenceFrom(reference);
    const identifier = identifierFrom(`passage-${name}`);
    const path = `stimuli/${name}.xml`;
    const content = xhtmlOf(textOf(data.content), tell).replace(
      /itembank-asset:([A-Za-z0-9._/-]+)/g,
      (_, asset: string) => `${MEDIA}${asset}`,
    );
    const body = v.element('stimulusBody', {}, `<div>${content}</div>`);
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n${v
      .element('assessmentStimulus', { identifier, title: textOf(data.heading) || name }, body)
      .replace(/^<[\w-]+/, `$& xmlns="${v.namespace}"`)}\n`;
    const known = this.stimuli.get(reference);
    if (known !== undefined) return { path, identifier, mark: known };
    const mark = markOf(parseXml(xml, path));
    const media = [...content.matchAll(/"\.\.\/media\/([A-Za-z0-9._/-]+)"/g)].map(([, asset]) => asset!);
    this.stimuli.set(reference, mark);
    this.resources.push({
      identifier,
      type: v.resourceType('stimulus'),
      path,
      uses: [...new Set(media)].map(mediaIdentifier),
    });
    return { path, identifier, mark, xml };
  }

  private test(reference: string, record: ActivityRecord, tell: Note): [string, string][] {
    const { vocabulary } = this;
    const name = referenceFrom(reference);
    const identifier = identifierFrom(`test-${name}`);
    const path = `tests/${name}.xml`;
    const uses: string[] = [];
    const xml = testOf(record, {
      vocabulary,
      identifier,
      note: tell,
      item: (item) => {
        const file = this.items.get(item);
        if (file === undefined) return undefined;
        uses.push(file.identifier);
        return { identifier: file.identifier, href: `../${hrefOf(file.path)}` };
      },
    });
    noteUnsaid(record, tell);
    const { title, tags = [], status } = record;
    const recordId = `${identifier}-record`;
    this.resources.push(
      {
        identifier,
        type: vocabulary.resourceType('test'),
        path,
        uses: [...new Set(uses), recordId],
        metadata: { tags, ...(title !== undefined && { title }), ...(status && { status }) },
      },
      { identifier: recordId, type: 'resourceextmetadata/xml', path: recordPath(path), uses: [] },
    );
    return [
      [path, xml],
      [recordPath(path), recordFile(reference, record, markOf(parseXml(xml, path)))],
    ];
  }

  private addMedia(name: string): void {
    const identifier = mediaIdentifier(name);
    if (this.known.has(identifier)) return;
    this.known.add(identifier);
    this.resources.push({ identifier, type: 'webcontent', path: `media/${name}`, uses: [] });
  }

  private readonly known = new Set<string>();

  /** Measures pictures, because interactions need their sizes in pixels. */
  private async measure(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const address = assetToken(name);
      if (this.sizes.has(address) || !/\.(png|jpe?g|gif|webp|svg)$/i.test(name)) continue;
      try {
        const { width, height } = imageSize(await this.assets.get(name)!.read());
        this.sizes.set(address, { width, height });
      } catch {
        // A file that is not a picture, whatever its name is.
      }
    }
  }
}

async function* contentOf(content: string | Buffer): AsyncGenerator<string | Buffer> {
  yield content;
}

/** An XML name, made of a reference. */
const identifierFrom = (reference: string): string => (/^[A-Za-z_]/.test(reference) ? reference : `id-${reference}`);

const mediaIdentifier = (name: string): string => `media-${referenceFrom(name)}`;

const UNSAID = ['description', 'note', 'source', 'adaptive', 'dynamic_content_data', 'metadata'];

/** Metadata that the package has elsewhere: the rules of the item say how it is scored. The record has the source. */
const SAID_ELSEWHERE = ['scoring_type', IMPORT_SOURCE];

/** Notes the members of items and activities that QTI has no place for. */
function noteUnsaid(record: object, tell: Note): void {
  const unsaid = UNSAID.filter((name) => {
    const value = (record as Record<string, Json | undefined>)[name];
    const members = Object.entries(objectOf(value)).filter(
      ([member, each]) => each !== null && (name !== 'metadata' || !SAID_ELSEWHERE.includes(member)),
    );
    return value !== undefined && (typeof value !== 'object' || members.length > 0);
  });
  if (unsaid.length > 0) tell('member-kept-aside', unsaid.join(', '));
}
