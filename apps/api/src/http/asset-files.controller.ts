import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { All, Controller, Inject, Next, type OnModuleInit, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import sendFile from 'send';
import { Clock, Fault } from '#kernel';
import { Config, type FileName, isPage, LocalFiles, LOGGER, type Logger, type OpenFile } from '#platform';
import { failure, send, success } from './envelope';
import { logFailure } from './log-failure';
import { RequestMetrics } from './request-metrics';

const PATH = '/assets/';

/** Pages of any origin may show assets and upload them, because the address itself is the permission. */
const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Length, Content-Range, ETag, X-Request-Id',
};
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, PUT',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};
const METHODS = ['GET', 'HEAD', 'PUT', 'OPTIONS'];

/** Types that browsers display and that cannot run code. */
const SHOWN = /^(?:(?:image|audio|video|font)\/(?!.*(?:\+|-|\/)xml$)[^/]+|application\/pdf)$/;
/** Types that browsers would run as a page. Browsers download such files instead, except images. */
const SAVED = /html|xml$|script/;
const SVG = 'image/svg+xml';

/** Keeps content of a file from running in the service's origin and from reaching outside its page. */
const NOTHING_RUNS = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Whether a request is an upload, which this module accepts or rejects before its body is sent. */
export function decidesOnUpload({ method, url = '' }: IncomingMessage): boolean {
  return method === 'PUT' && url.startsWith(PATH);
}

/** Receives and serves files of a folder: assets, and results of jobs, which need signed addresses. */
@Controller()
export class AssetFilesController implements OnModuleInit {
  constructor(
    @Inject(LocalFiles) private readonly files: LocalFiles | null,
    private readonly config: Config,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: RequestMetrics,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.files) return;
    await this.files.sweep();
    if (this.config.assetsPublicUrl === undefined && ['0.0.0.0', '::'].includes(this.config.host))
      this.log.warn(
        `Public addresses of assets begin with ${this.config.ownUrl}/assets, which leads here from this machine alone; set ASSETS_PUBLIC_URL.`,
      );
  }

  @All('assets/*path')
  async handle(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): Promise<void> {
    if (!this.files) return next();
    const started = performance.now();
    this.metrics.began();
    const requestId = randomUUID();
    const headers = { ...ANY_ORIGIN, 'X-Request-Id': requestId };
    let failed: { status: number; code: number } | undefined;
    try {
      await this.answer(this.files, request, response, headers);
    } catch (error) {
      const answer = failure(error, requestId, this.clock.now());
      const status = error instanceof UnmetCondition ? error.status : answer.status;
      failed = { status, code: answer.code };
      logFailure(this.log, error, { request_id: requestId });
      if (response.headersSent) response.destroy();
      else for (const name of ABOUT_THE_FILE) response.removeHeader(name);
      send(response, status, answer.body, { ...headers, ...(status === 405 ? { Allow: METHODS.join(', ') } : {}) });
      // Reads the rest of the request, because many clients read the answer only after they have sent everything.
      request.resume();
    }
    const milliseconds = performance.now() - started;
    const operation = METHODS.includes(request.method) ? `${request.method} assets` : undefined;
    const { status, code } = failed ?? { status: response.statusCode, code: undefined };
    const ms = Math.round(milliseconds * 10) / 10;
    this.log.info({ request_id: requestId, operation, status, code, ms }, 'request');
    this.metrics.answered({ operation, status, code, milliseconds });
  }

  private async answer(
    files: LocalFiles,
    request: Request,
    response: Response,
    headers: Record<string, string>,
  ): Promise<void> {
    const url = new URL(request.url, 'http://service');
    const name = files.nameAt(decoded(url.pathname.slice(PATH.length)));
    switch (request.method) {
      case 'OPTIONS':
        response.writeHead(204, { ...headers, ...PREFLIGHT, Allow: METHODS.join(', ') }).end();
        return;
      case 'PUT':
        if (!name) throw nothingAt(url.pathname);
        await this.receive(files, name, url.searchParams, request, response);
        return send(response, 200, success({ data: '[]' }, undefined, this.clock.now()), headers);
      case 'GET':
      case 'HEAD': {
        if (name) files.checkRead(name, url.searchParams, 'read the job again for a new one');
        const file = name && (await files.open(name));
        if (!file) throw nothingAt(url.pathname);
        return handOut(file, name, request, response, headers);
      }
      default:
        throw new Fault('method', `Assets are read with GET and uploaded with PUT; this was ${request.method}.`);
    }
  }

  private async receive(
    files: LocalFiles,
    name: FileName,
    query: URLSearchParams,
    request: Request,
    response: Response,
  ): Promise<void> {
    const operation = `itembank/upload/${name.area === 'private' ? 'imports' : 'assets'}`;
    const type = files.uploadType(name, query, `ask ${operation} for a new one`);
    const sent = request.headers['content-type'];
    if (sent !== type)
      throw new Fault(
        'signature',
        `This address takes a file with the header Content-Type: ${type}; this one came with ${sent ?? 'none'}.`,
      );
    const maxBytes = this.config.maxAssetBytes;
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    if (decidesOnUpload(request) && /100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
    await files.write(name, Readable.from(atMost(request, maxBytes), { objectMode: false }), type);
  }
}

/** Headers about a file, which an error answer must not have. */
const ABOUT_THE_FILE = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Type',
  'ETag',
  'Last-Modified',
];

/** The file does not meet a condition or range of the request. */
class UnmetCondition extends Fault {
  constructor(readonly status: number) {
    super(
      'value',
      status === 416
        ? 'The range begins behind the end of the file; Content-Range tells its length.'
        : 'The file is not, or is no longer, the version that If-Match or If-Unmodified-Since names.',
    );
  }
}

const tooLarge = (maxBytes: number) =>
  new Fault('too-large', `The file is larger than ${maxBytes} bytes, the most that this service takes.`);

const nothingAt = (path: string) =>
  new Fault('no-endpoint', `There is no asset at ${path}; itembank/upload/assets gives an address to put one there.`);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw nothingAt(path);
  }
}

/** The body as it arrives. When reading stops early, the connection stays open for the answer. */
async function* atMost(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Fault || !request.destroyed) throw error;
    throw new Fault('schema', 'The upload ended before it was complete; what was there before is still there.');
  }
}

/** Sends the present file. Its type and content belong together, whatever is uploaded meanwhile. */
function handOut(
  file: OpenFile,
  name: FileName,
  request: Request,
  response: Response,
  headers: Record<string, string>,
): Promise<void> {
  // The client disconnected before the file was open, and no event reports that any more.
  if (response.destroyed) return file.handle.close();
  for (const [header, value] of Object.entries({ ...headers, ...protection(file.contentType, isPage(name)) }))
    response.setHeader(header, value);
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('ETag', `"${file.sha256}"`);
  // Another file may be uploaded to the same address at any time.
  response.setHeader('Cache-Control', name.area === 'public' ? 'public, no-cache' : 'private, no-store');
  if (name.area === 'private' && !isPage(name)) response.setHeader('Content-Disposition', 'attachment');
  return new Promise((resolve, reject) => {
    response.on('close', () => {
      file.handle.close().then(() => resolve(), reject);
    });
    const options = { start: file.start, fd: file.handle };
    const sending = sendFile(request, '', options);
    sending.on('error', (error: Error & { status: number }) => {
      const unmet = [412, 416].includes(error.status);
      file.handle.close().then(() => reject(unmet ? new UnmetCondition(error.status) : error), reject);
    });
    // Sends the open file, because its path may lead to another file by now.
    (sending as unknown as { res: Response }).res = response;
    sending.send('', file.stat);
  });
}

/** @param shown whether the file is a page of this service, whose policy keeps it from running code. */
function protection(contentType: string, shown: boolean): Record<string, string> {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return {
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // Browsers open no PDF viewer in a sandbox.
    ...(SHOWN.test(type) ? {} : { 'Content-Security-Policy': NOTHING_RUNS }),
    ...(SAVED.test(type) && type !== SVG && !shown ? { 'Content-Disposition': 'attachment' } : {}),
  };
}
