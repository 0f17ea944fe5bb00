import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Stats } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable } from 'node:stream';
import { type Clock, Fault } from '#kernel';
import { encodedKey, type FileName, Files, type StoredFile, type Written } from './files';
import { Intake } from './intake';
import { makeFolder } from './make-folder';

/** Every file begins with a header, so that content and type always come from the same upload. */
const HEAD_BYTES = 4096;

interface Head {
  key: string;
  content_type: string;
  sha256: string;
}

/** Uploads lie in this folder until they are complete. */
const UPLOADS = 'uploads';

/** An upload that has not grown for this long was cut off by the end of its process. */
const DEAD_UPLOAD_MS = 60 * 60 * 1000;

/** The permission of a signed address. */
type Permission = ['PUT' | 'GET', area: string, owner: number, key: string, type: string, expires: string];

/** An open file. It stays readable while the file is replaced. The caller closes it. */
export interface OpenFile {
  handle: FileHandle;
  stat: Stats;
  /** Bytes before the content. */
  start: number;
  contentType: string;
  sha256: string;
}

/**
 * Files in a folder that the service serves itself: `<area>/<owner>/<two>/<two>/<hash of the key>`.
 * Every file system accepts and distinguishes hashes, a hash cannot lead outside the folder, and `a` and `a/b` can both
 * be keys.
 */
export class LocalFiles extends Files {
  // Private by #, so that logs and inspection of the object do not show it.
  readonly #signingKey: Buffer;
  private sweptAt = 0;

  /**
   * @param folder all processes must use the same folder.
   * @param base what addresses begin with: `http://host/assets`.
   * @param signingKey all processes must use the same key.
   */
  constructor(
    private readonly folder: string,
    private readonly base: () => string,
    signingKey: Buffer,
    private readonly clock: Clock,
  ) {
    super();
    this.#signingKey = signingKey;
  }

  override async uploadAddress(name: FileName, contentType: string, expiresAt: number): Promise<string> {
    const expires = String(Math.floor(expiresAt / 1000));
    const signature = this.signature(['PUT', name.area, name.owner, name.key, contentType, expires]);
    return `${this.address(name)}?${new URLSearchParams({ expires, type: contentType, signature }).toString()}`;
  }

  override async publicAddress(name: FileName): Promise<string> {
    return this.address(name).replace(/^https?:/, '');
  }

  override async readAddress(name: FileName, expiresAt: number): Promise<string> {
    const expires = String(Math.floor(expiresAt / 1000));
    const signature = this.signature(['GET', name.area, name.owner, name.key, '', expires]);
    return `${this.address(name)}?${new URLSearchParams({ expires, signature }).toString()}`;
  }

  /**
   * The file that an address path below the base names: `1/images/map.png`, `private/1/package.zip`. undefined for a
   * path that no address has.
   */
  nameAt(path: string): FileName | undefined {
    const match = /^(private\/)?([1-9]\d{0,9})\/(.+)$/s.exec(path);
    if (!match) return undefined;
    const [, isPrivate, owner, key] = match;
    return { area: isPrivate ? 'private' : 'public', owner: Number(owner), key: key! };
  }

  /**
   * The content type that the upload to an address must have.
   * @param advice how to get a new address.
   * @throws Fault 41003 for an address that was not signed here or has expired.
   */
  uploadType(name: FileName, query: URLSearchParams, advice: string): string {
    const type = query.get('type') ?? '';
    this.checkSignature('PUT', name, type, query, advice);
    return type;
  }

  /**
   * @param advice how to get a new address.
   * @throws Fault 41003 for a private file whose address was not signed here or has expired.
   */
  checkRead(name: FileName, query: URLSearchParams, advice: string): void {
    if (name.area === 'private') this.checkSignature('GET', name, '', query, advice);
  }

  override async write(name: FileName, content: Readable, contentType: string): Promise<Written> {
    // One folder holds all uploads, so that the clean-up finds unfinished ones without a full search.
    const upload = join(this.folder, UPLOADS, randomUUID());
    const intake = new Intake();
    try {
      await this.makeUploads();
      await this.sweep();
      const written = await this.take(upload, name, content, contentType, intake);
      await this.moveTo(this.pathOf(name), upload);
      return written;
    } catch (error) {
      content.destroy();
      await rm(upload, { force: true }).catch(() => undefined);
      throw intake.failure ? error : translated(error);
    }
  }

  private async take(
    upload: string,
    { key }: FileName,
    content: Readable,
    contentType: string,
    intake: Intake,
  ): Promise<Written> {
    const handle = await open(upload, 'wx');
    try {
      let at = HEAD_BYTES;
      for await (const chunk of intake.of(content)) {
        await writeAll(handle, chunk, at);
        at += chunk.length;
      }
      const written = intake.measured();
      await writeAll(handle, headText({ key, content_type: contentType, sha256: written.sha256 }), 0);
      await handle.sync();
      return written;
    } finally {
      await handle.close();
    }
  }

  /** The caller closes it. */
  async open(name: FileName): Promise<OpenFile | undefined> {
    let handle: FileHandle;
    try {
      handle = await open(this.pathOf(name), 'r');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw translated(error);
    }
    try {
      const { buffer } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
      const head = JSON.parse(buffer.toString('utf8')) as Head;
      return {
        handle,
        stat: await handle.stat(),
        start: HEAD_BYTES,
        contentType: head.content_type,
        sha256: head.sha256,
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  override async read(name: FileName): Promise<StoredFile | undefined> {
    const file = await this.open(name);
    if (!file) return undefined;
    return { contentType: file.contentType, content: file.handle.createReadStream({ start: file.start }) };
  }

  override async size(name: FileName): Promise<number | undefined> {
    const file = await this.open(name);
    if (!file) return undefined;
    await file.handle.close();
    return file.stat.size - file.start;
  }

  override async remove(name: FileName): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** Writes a file and removes it again. Permission alone does not show that there is space. */
  override async check(): Promise<void> {
    const probe = join(this.folder, UPLOADS, `health-${randomUUID()}`);
    await this.makeUploads();
    try {
      await writeFile(probe, 'x', { flag: 'wx' });
    } finally {
      await rm(probe, { force: true });
    }
  }

  /** Removes, at most once an hour, unfinished uploads whose process has ended. */
  async sweep(): Promise<void> {
    // Compare with the real time: file systems use it, and the service's clock may stand still in tests.
    const now = Date.now();
    if (now - this.sweptAt < DEAD_UPLOAD_MS) return;
    this.sweptAt = now;
    const uploads = join(this.folder, UPLOADS);
    for (const upload of await readdir(uploads).catch(() => [])) {
      const path = join(uploads, upload);
      const found = await stat(path).catch(() => undefined);
      if (found && now - found.mtimeMs > DEAD_UPLOAD_MS) await rm(path, { force: true });
    }
  }

  private async makeUploads(): Promise<void> {
    const uploads = join(this.folder, UPLOADS);
    await access(uploads).catch(() => makeFolder(uploads));
  }

  /** Moves the upload atomically and durably. */
  private async moveTo(path: string, upload: string): Promise<void> {
    const isNew = (await mkdir(dirname(path), { recursive: true })) !== undefined;
    await rename(upload, path);
    let folder = dirname(path);
    await syncFolder(folder);
    for (; isNew && folder.length > this.folder.length; await syncFolder(folder)) folder = dirname(folder);
  }

  private pathOf({ area, owner, key }: FileName): string {
    const hash = createHash('sha256').update(key).digest('hex');
    return join(this.folder, area, String(owner), hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  private address({ area, owner, key }: FileName): string {
    return `${this.base()}/${area === 'private' ? 'private/' : ''}${owner}/${encodedKey(key)}`;
  }

  private signature(permission: Permission): string {
    return createHmac('sha256', this.#signingKey).update(JSON.stringify(permission)).digest('hex');
  }

  private checkSignature(
    method: Permission[0],
    { area, owner, key }: FileName,
    type: string,
    query: URLSearchParams,
    advice: string,
  ): void {
    const [expires, signature] = [query.get('expires') ?? '', Buffer.from(query.get('signature') ?? '')];
    const right = Buffer.from(this.signature([method, area, owner, key, type, expires]));
    if (signature.length !== right.length || !timingSafeEqual(signature, right))
      throw new Fault('signature', `This address was not given out for a ${method} of this file; ${advice}.`);
    const expiresAt = Number(expires) * 1000;
    if (this.clock.now() >= expiresAt)
      throw new Fault('signature', `This address expired at ${new Date(expiresAt).toISOString()}; ${advice}.`);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

function headText(head: Head): Buffer {
  const text = Buffer.alloc(HEAD_BYTES, ' ');
  text.write(JSON.stringify(head));
  return text;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Translates errors that an operator can fix into faults. Any other error is a bug. */
function translated(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const fault = new Fault(
    'unavailable',
    ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
      ? 'There is no room for the file; an operator has to make some.'
      : `The folder of files cannot be used (${code}); an operator has to look at it.`,
  );
  fault.cause = error;
  return fault;
}
