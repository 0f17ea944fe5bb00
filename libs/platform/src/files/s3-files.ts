import { PassThrough, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type Clock, Fault, withoutEnd } from '#kernel';
import { encodedKey, type FileName, Files, isPage, type StoredFile, type Written } from './files';
import { Intake } from './intake';

const PARAMETERS = ['endpoint', 'path_style', 'region'];

/** The longest time that an S3 signature is valid. */
const MAX_SIGNATURE_SECONDS = 7 * 24 * 3600;

/** S3 allows 10,000 parts, so files may have up to 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** Parts in memory at a time. */
const PART_CONCURRENCY = 2;

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Requests until the library gives up, with longer and longer waits between them. A long job begins again when one of its
 * many requests fails, and a busy bucket refuses some of them for several seconds.
 */
const MAX_ATTEMPTS = 6;
/**
 * How long a request may take until the bucket begins to answer, and how long the bucket may stop within an answer. By
 * default the library waits without limit for both.
 */
const REQUEST_TIMEOUT_MS = 5 * 60_000;

/**
 * Files in an S3 bucket or a compatible server: `[prefix/]<area>/<owner>/<key>`. Clients upload directly to the
 * bucket. The bucket's policy must let anyone read the files under `public`.
 */
export class S3Files extends Files implements OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  /**
   * @param url `s3://BUCKET/PREFIX?region=…&endpoint=…&path_style=true`
   * @param publicBase `https://host/path` of the files under `public`. Absent: the bucket's own address.
   * @throws Error for a URL that does not have this form.
   */
  constructor(
    url: string,
    private readonly publicBase: string | undefined,
    private readonly clock: Clock,
  ) {
    super();
    const { hostname, pathname, searchParams } = new URL(url);
    this.bucket = hostname;
    this.prefix = withoutEnd(decodeURIComponent(pathname).replace(/^\/+/, ''), '/');
    // The library would warn in each process that its versions of 2027 need Node 22. Operators cannot change its version.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    this.client = new S3Client(settingsOf(searchParams));
  }

  override async uploadAddress(name: FileName, contentType: string, expiresAt: number): Promise<string> {
    const command = new PutObjectCommand({ ...this.object(name), ContentType: contentType });
    return this.signed(command, expiresAt);
  }

  override async publicAddress(name: FileName): Promise<string> {
    if (this.publicBase !== undefined)
      return `${this.publicBase}/${name.owner}/${encodedKey(name.key)}`.replace(/^https?:/, '');
    // A public address is a signed address without its query.
    const { host, pathname } = new URL(await this.readAddress(name, this.clock.now() + 1000));
    return `//${host}${pathname.replace(/\.$/, '%2E')}`;
  }

  override async readAddress(name: FileName, expiresAt: number): Promise<string> {
    // Browsers save private files instead of showing them in the bucket's origin. Pages are the exception, as in the
    // local file store.
    const saved = name.area === 'private' && !isPage(name) ? { ResponseContentDisposition: 'attachment' } : {};
    return this.signed(new GetObjectCommand({ ...this.object(name), ...saved }), expiresAt);
  }

  override async write(name: FileName, content: Readable, contentType: string): Promise<Written> {
    const intake = new Intake();
    try {
      // Sends short content in one request. Longer content becomes a file only when its last part has arrived.
      const { ETag } = await new Upload({
        client: this.client,
        params: {
          ...this.object(name),
          ContentType: contentType,
          Body: Readable.from(blocksOf(intake.of(content)), { objectMode: false }),
        },
        partSize: PART_BYTES,
        queueSize: PART_CONCURRENCY,
      }).done();
      if (ETag === undefined) throw new NotS3();
      return intake.measured();
    } catch (error) {
      content.destroy();
      throw intake.failure ? intake.failure.error : unavailable(error);
    }
  }

  override async read(name: FileName): Promise<StoredFile | undefined> {
    try {
      const { Body, ContentType = '' } = await this.client.send(new GetObjectCommand(this.object(name)));
      return { contentType: ContentType, content: contentOf(Body as Readable) };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw unavailable(error);
    }
  }

  override async size(name: FileName): Promise<number | undefined> {
    try {
      return (await this.client.send(new HeadObjectCommand(this.object(name)))).ContentLength;
    } catch (error) {
      if (error instanceof NotFound || error instanceof NoSuchKey) return undefined;
      throw unavailable(error);
    }
  }

  override async remove(name: FileName): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.object(name)));
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Reads a file that never exists. The answer shows whether the bucket exists and accepts the credentials. */
  override async check(limit: AbortSignal): Promise<void> {
    const nobody: FileName = { area: 'private', owner: 0, key: 'health' };
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.object(nobody)), { abortSignal: limit });
      (Body as Readable).destroy();
      throw new NotS3();
    } catch (error) {
      if (!(error instanceof NoSuchKey)) throw error;
    }
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }

  private object({ area, owner, key }: FileName) {
    const path = `${area}/${owner}/${key}`;
    return { Bucket: this.bucket, Key: this.prefix === '' ? path : `${this.prefix}/${path}` };
  }

  private async signed(command: GetObjectCommand | PutObjectCommand, expiresAt: number): Promise<string> {
    const now = this.clock.now();
    try {
      return await getSignedUrl(this.client, command, {
        // By default the library does not sign the type, and clients could send any.
        signableHeaders: new Set(['content-type']),
        signingDate: new Date(now),
        expiresIn: Math.min(MAX_SIGNATURE_SECONDS, Math.max(1, Math.round((expiresAt - now) / 1000))),
      });
    } catch (error) {
      const fault = new Fault(
        'unavailable',
        'The service cannot sign addresses of its bucket; an operator has to look at its region and credentials.',
      );
      fault.cause = error;
      throw fault;
    }
  }
}

/** Another service answers at the address of the bucket. */
class NotS3 extends Error {
  /** `unavailable` puts it into the message for operators. */
  override readonly name = 'not an answer of S3';

  constructor() {
    super('The answer is not an answer of S3.');
  }
}

/**
 * The same bytes in blocks of one size. The library collects the chunks of a part, and a short chunk may hold much
 * more memory than its length: those of zlib hold 16 kB.
 */
async function* blocksOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block = Buffer.alloc(BLOCK_BYTES);
  let filled = 0;
  for await (const chunk of chunks)
    for (let taken = 0; taken < chunk.length;) {
      const copied = chunk.copy(block, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < BLOCK_BYTES) continue;
      yield block;
      block = Buffer.alloc(BLOCK_BYTES);
      filled = 0;
    }
  if (filled > 0) yield block.subarray(0, filled);
}

/** The content of a file. It fails with a Fault when the bucket fails before the end. */
function contentOf(body: Readable): Readable {
  const content = new PassThrough();
  body.on('error', (error) => content.destroy(unavailable(error)));
  content.on('close', () => body.destroy());
  return body.pipe(content);
}

function unavailable(cause: unknown): Fault {
  const { name, code, $metadata } = cause as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  // An answer to HEAD has no body, and so no code.
  const what = name === 'Unknown' && status !== undefined ? `HTTP ${status}` : (code ?? name);
  const fault = new Fault(
    'unavailable',
    `A request to the bucket of files failed (${what}); an operator has to look at it.`,
  );
  fault.cause = cause;
  return fault;
}

function settingsOf(parameters: URLSearchParams): S3ClientConfig {
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name));
  const [endpoint, pathStyle, region] = PARAMETERS.map((name) => parameters.get(name) ?? undefined);
  if (unknown !== undefined)
    throw new Error(`ASSETS_URL has the parameter ${unknown}; those of s3: are ${PARAMETERS.join(', ')}.`);
  if (region === '')
    throw new Error('ASSETS_URL has an empty region; name one, or leave it out if the AWS SDK finds it.');
  if (endpoint !== undefined && !/^https?:\/\/./.test(endpoint))
    throw new Error('ASSETS_URL has an endpoint that is not of the form https://HOST.');
  if (pathStyle !== undefined && !['true', 'false'].includes(pathStyle))
    throw new Error('ASSETS_URL has a path_style that is neither true nor false.');
  return {
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: pathStyle === 'true',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: REQUEST_TIMEOUT_MS,
    },
    // Otherwise addresses would require a checksum of a file that is not known yet.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}
