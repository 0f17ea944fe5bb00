import { type Files, type Written, type Zip } from '#platform';
import { type Kind, type StoredRecord } from '../domain/record';
import { shownBody } from '../domain/activity';
import { packageLine, widgetsNamed } from '../domain/package-line';
import { type PackedAsset, PackedAddresses } from '../domain/packed-addresses';
import { type PackageContents, type Skipped } from './package-contents';
import { type PackagePart, type PackedRecords } from './package-parts';

/** Rises when readers of older packages cannot read newer ones. */
const FORMAT_VERSION = 1;

/** Types whose files are already compressed. */
const COMPRESSED =
  /^(?:image\/(?!svg|bmp|tiff|x-)|audio\/(?!(?:x-)?wav)|video\/|font\/woff|application\/(?:zip|gzip|x-7z|pdf))/;

interface WritingOptions {
  /** The store of the assets. */
  files: Files;
  /** Base of the public addresses of assets, before the organisation. */
  publicBase: string;
  baseDirectory: string;
  /** Reference of the job. */
  reference: string;
  parts: readonly PackagePart[];
  /** Called after each record and file. The total grows as more content is found. */
  report(done: number, total: number): Promise<void>;
}

/** The result of packing. */
export interface PackageReport {
  counts: Record<'files' | 'activities' | 'items' | 'questions' | 'features' | 'assets', number>;
  skipped: readonly Skipped[];
  /** The number of assets that content names but that have no file. */
  missing: number;
}

interface ListedFile extends Written {
  path: string;
  content_type: string;
  /** For assets: their address in the content. */
  source?: string;
}

/** Writes a package file by file: the records as JSON Lines, their assets, the manifest. */
export async function writePackage(
  zip: Zip,
  contents: PackageContents,
  options: WritingOptions,
): Promise<PackageReport> {
  return new PackageWriting(zip, contents, options).write();
}

class PackageWriting {
  private readonly addresses: PackedAddresses;
  private readonly listed: ListedFile[] = [];
  private readonly tags = new Map<string, Set<string>>();
  private readonly widgets = { question: new Map<number, Set<string>>(), feature: new Map<number, Set<string>>() };
  private done = 0;
  private total = 0;

  constructor(
    private readonly zip: Zip,
    private readonly contents: PackageContents,
    private readonly options: WritingOptions,
  ) {
    this.addresses = new PackedAddresses(options.publicBase, options.baseDirectory);
  }

  async write(): Promise<PackageReport> {
    const { activities: named, items: chosen, organisation, skipped } = this.contents;
    this.total = named.length + sizeOf(chosen);
    const activities = await this.records('activities', 'activity', new Map([[organisation, named]]));
    const items = await this.records('items', 'item', chosen, (holder, { body }) => this.hold(holder, body));
    this.total += sizeOf(this.widgets.question) + sizeOf(this.widgets.feature);
    const questions = await this.records('questions', 'question', this.widgets.question);
    const features = await this.records('features', 'feature', this.widgets.feature);
    await this.parts();
    await this.json('tags.json', Object.fromEntries([...this.tags].map(([type, names]) => [type, [...names]])));
    const missing = await this.assets();
    const counts = { activities, items, questions, features, assets: this.addresses.assets.length - missing.length };
    const files = this.listed.length;
    await this.json('manifest.json', this.manifest(counts, missing));
    return { counts: { files, ...counts }, skipped, missing: missing.length };
  }

  /** Writes the records of a kind and returns their number. */
  private async records(
    name: string,
    kind: Kind,
    references: ReadonlyMap<number, Iterable<string>>,
    seen?: (organisation: number, record: StoredRecord) => void,
  ): Promise<number> {
    let count = 0;
    const rewritten = (text: string) => this.addresses.rewritten(text);
    const { contents } = this;
    const lines = async function* (this: PackageWriting) {
      for (const [organisation, list] of references)
        for await (const record of contents.records(organisation, kind, list)) {
          count++;
          seen?.(organisation, record);
          this.noteTags(record);
          yield packageLine(
            organisation,
            kind === 'activity' ? { ...record, body: shownBody(record) } : record,
            rewritten,
          );
          await this.step();
        }
    };
    await this.add(`${name}.jsonl`, 'application/jsonl', lines.call(this));
    return count;
  }

  /** Writes what other contexts add. */
  private async parts(): Promise<void> {
    const { contents, options } = this;
    const packed: PackedRecords = {
      organisation: contents.organisation,
      reference: options.reference,
      activities: contents.activities,
      records: (organisation, kind, references) => contents.records(organisation, kind, references),
      rewritten: (text) => this.addresses.rewritten(text, ''),
    };
    for (const part of options.parts)
      for await (const { path, contentType, content } of part.files(packed)) await this.add(path, contentType, content);
  }

  /** Writes the files of the named assets and returns the assets without a file. */
  private async assets(): Promise<PackedAsset[]> {
    const { assets } = this.addresses;
    const missing: PackedAsset[] = [];
    this.total += assets.length;
    for (const asset of assets) {
      const file = await this.options.files.read({
        area: 'public',
        owner: asset.organisation,
        key: asset.subkey,
      });
      if (file)
        try {
          await this.add(asset.path, file.contentType, file.content, asset.address);
        } finally {
          file.content.destroy();
        }
      else missing.push(asset);
      await this.step();
    }
    return missing;
  }

  private manifest(counts: Record<string, number>, missing: readonly PackedAsset[]): object {
    const { contents, options, addresses } = this;
    return {
      format: 'itembank-offline-package',
      format_version: FORMAT_VERSION,
      job_reference: options.reference,
      organisation_id: contents.organisation,
      as_of: new Date(contents.asOf).toISOString(),
      base_directory: options.baseDirectory,
      counts,
      files: this.listed,
      skipped: contents.skipped,
      missing_assets: missing.map(({ address }) => address),
      foreign_addresses: addresses.foreign,
    };
  }

  private hold(organisation: number, body: string): void {
    const named = widgetsNamed(body);
    for (const kind of ['question', 'feature'] as const) {
      const known = this.widgets[kind].get(organisation) ?? new Set<string>();
      for (const reference of named[kind]) known.add(reference);
      this.widgets[kind].set(organisation, known);
    }
  }

  private noteTags({ tags }: StoredRecord): void {
    for (const { type, name } of tags) {
      const names = this.tags.get(type);
      if (names) names.add(name);
      else this.tags.set(type, new Set([name]));
    }
  }

  private async json(path: string, value: object): Promise<void> {
    await this.add(path, 'application/json', pieces(`${JSON.stringify(value, null, 2)}\n`));
  }

  private async add(
    path: string,
    contentType: string,
    content: AsyncIterable<Buffer | string>,
    source?: string,
  ): Promise<void> {
    const written = await this.zip.add(path, content, { compress: !COMPRESSED.test(contentType) });
    this.listed.push({ path, content_type: contentType, ...written, ...(source === undefined ? {} : { source }) });
  }

  private async step(): Promise<void> {
    await this.options.report(++this.done, this.total);
  }
}

function sizeOf(references: ReadonlyMap<number, ReadonlySet<string>>): number {
  let size = 0;
  for (const list of references.values()) size += list.size;
  return size;
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
