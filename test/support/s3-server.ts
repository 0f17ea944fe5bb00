import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

/* The part of S3 that files use: objects of one bucket by path, whole or in parts. Each request is signed or reads
something public. */

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** The signed parts of a request. */
export interface SignedRequest {
  method: string;
  /** As sent. */
  url: string;
  /** By lower-case name. */
  headers: Record<string, string>;
}

const REGION = 'us-east-1';

/** The error code with which S3 rejects the signature of a request. Absent: the signature is valid. */
export async function refusalOf(request: SignedRequest, keys: Keys, now: number): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(request.url, 'http://server');
  const query = Object.fromEntries(searchParams);
  const authorization = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
    request.headers.authorization ?? '',
  );
  const [, credential, names, signature] = authorization ?? [
    '',
    query['X-Amz-Credential'],
    query['X-Amz-SignedHeaders'],
    query['X-Amz-Signature'],
  ];
  if (!credential || !names || !signature) return 'AccessDenied';
  const [accessKeyId, , region, service] = credential.split('/');
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== REGION || service !== 's3') return 'AuthorizationHeaderMalformed';
  const signingDate = dateOf(authorization ? request.headers['x-amz-date'] : query['X-Amz-Date']);
  if (Number.isNaN(signingDate.getTime())) return 'AuthorizationQueryParametersError';
  const signer = new SignatureV4({
    credentials: keys,
    region: REGION,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
  });
  const signed = {
    method: request.method,
    protocol: 'http:',
    hostname: 'server',
    path: pathname,
    query,
    headers: Object.fromEntries(names.split(';').map((name) => [name, request.headers[name] ?? ''])),
  };
  if (authorization) {
    const { headers } = await signer.sign(signed, { signingDate });
    return headers.authorization!.endsWith(`Signature=${signature}`) ? undefined : 'SignatureDoesNotMatch';
  }
  const expiresIn = Number(query['X-Amz-Expires']);
  const whole = 'x-amz-content-sha256';
  // An upload address cannot sign a hash of content that does not exist yet.
  const presigned = await signer.presign(
    { ...signed, headers: { ...signed.headers, [whole]: 'UNSIGNED-PAYLOAD' } },
    { signingDate, expiresIn, unhoistableHeaders: new Set([whole]), unsignableHeaders: new Set([whole]) },
  );
  // Signing sets the parameters about the signature; they must equal those sent.
  if (!isDeepStrictEqual({ ...presigned.query }, query)) return 'SignatureDoesNotMatch';
  return now >= signingDate.getTime() + expiresIn * 1000 ? 'AccessDenied' : undefined;
}

/** `20130524T000000Z` */
function dateOf(text = ''): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

interface Stored {
  type: string;
  body: Buffer;
}

/** A request for an object, or for one of its parts. */
interface ObjectRequest {
  method: string;
  path: string;
  part: number | undefined;
}

/** An object whose parts are still arriving. */
interface UnfinishedUpload {
  path: string;
  type: string;
  parts: Map<number, Buffer>;
}

export class S3Server {
  readonly keys: Keys = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'test/secret+key' };
  /** By path: `/bucket/key`. */
  private readonly objects = new Map<string, Stored>();
  /** By upload id. */
  private readonly uploads = new Map<string, UnfinishedUpload>();
  private made = 0;
  /** The largest number of parts of any object. */
  partsOfLongest = 0;
  /** Simulates a broken bucket: a request fails with the returned code, and waits for the returned promise. */
  refuses: (request: ObjectRequest) => string | undefined | Promise<undefined> = () => undefined;
  /** Simulates a bucket that stalls: sends half of an object, and then nothing. */
  stalls = false;
  /** Simulates an address of another service: every answer is a page with status 200. */
  isOtherService = false;
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  /**
   * @param publicPath the path of public objects, such as `/bucket/public/`. Anyone may read them.
   * @param now returns the time that decides whether an address has expired.
   */
  private constructor(
    private readonly publicPath: string,
    private readonly now: () => number,
  ) {}

  static async start(publicPath: string, now: () => number): Promise<S3Server> {
    const server = new S3Server(publicPath, now);
    server.server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The parameters of `s3://BUCKET?…`. */
  get parameters(): string {
    return `region=${REGION}&path_style=true&endpoint=${this.url}`;
  }

  /** Paths of uploads in parts that were neither completed nor aborted. */
  get unfinished(): string[] {
    return [...this.uploads.values()].map(({ path }) => path);
  }

  /** Paths of the objects. */
  get paths(): string[] {
    return [...this.objects.keys()];
  }

  /** Sets the variables in which the AWS SDK looks for keys. */
  setKeysOfProcess(): void {
    process.env.AWS_ACCESS_KEY_ID = this.keys.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = this.keys.secretAccessKey;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const headers = request.headers as Record<string, string>;
    const { pathname, searchParams } = new URL(url, this.url);
    const path = decodeURIComponent(pathname);
    // The guide requires this of buckets, because pages of other origins upload and read files.
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, PUT');
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.writeHead(200).end();
      return;
    }
    const part = searchParams.has('partNumber') ? Number(searchParams.get('partNumber')) : undefined;
    const reads = method === 'GET' || method === 'HEAD';
    // Read to the end first: an upload that is cut off throws and changes nothing.
    const chunks: Buffer[] = [];
    for await (const chunk of request.iterator({ destroyOnReturn: false })) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (!reads || !path.startsWith(this.publicPath)) {
      const code = (await refusalOf({ method, url, headers }, this.keys, this.now())) ?? refusalOfBody(headers, body);
      if (code) return fail(response, 403, code);
    }
    if (this.isOtherService) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Welcome</body></html>');
      return;
    }
    const refusal = await this.refuses({ method, path, part });
    if (refusal) return fail(response, refusal === 'SlowDown' ? 503 : 403, refusal);
    const uploadId = searchParams.get('uploadId');
    if (method === 'POST' && searchParams.has('uploads')) return this.beginUpload(path, headers, response);
    if (uploadId !== null) return this.continueUpload(uploadId, method, part, body, response);
    const found = this.objects.get(path);
    switch (method) {
      case 'PUT':
        this.objects.set(path, { type: headers['content-type'] ?? 'binary/octet-stream', body });
        response.writeHead(200, { ETag: '"x"' }).end();
        return;
      case 'DELETE':
        this.objects.delete(path);
        response.writeHead(204).end();
        return;
      case 'GET':
      case 'HEAD':
        if (!found) return fail(response, 404, 'NoSuchKey');
        response.writeHead(200, {
          'Content-Type': found.type,
          'Content-Length': found.body.length,
          ...dispositionOf(searchParams),
        });
        if (method === 'GET' && this.stalls) response.write(found.body.subarray(0, found.body.length / 2));
        else response.end(method === 'GET' ? found.body : undefined);
        return;
      default:
        return fail(response, 405, 'MethodNotAllowed');
    }
  }

  private beginUpload(path: string, headers: Record<string, string>, response: ServerResponse): void {
    const id = `upload-${++this.made}`;
    this.uploads.set(id, { path, type: headers['content-type'] ?? 'binary/octet-stream', parts: new Map() });
    answerXml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  private continueUpload(
    id: string,
    method: string,
    part: number | undefined,
    body: Buffer,
    response: ServerResponse,
  ): void {
    const upload = this.uploads.get(id);
    if (!upload) return fail(response, 404, 'NoSuchUpload');
    if (method === 'PUT' && part !== undefined) {
      upload.parts.set(part, body);
      response.writeHead(200, { ETag: `"${etagOf(body)}"` }).end();
      return;
    }
    if (method === 'DELETE') {
      this.uploads.delete(id);
      response.writeHead(204).end();
      return;
    }
    const listed = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([text]) => text);
    const numbers = listed.map((text) => Number(/<PartNumber>(\d+)/.exec(text)?.[1]));
    const bodies = numbers.map((number) => upload.parts.get(number));
    const whole = bodies.every((each, index) => each && listed[index]!.includes(etagOf(each)));
    // Only the last part may be short, as with S3.
    const tooShort = bodies.slice(0, -1).some((each) => (each?.length ?? 0) < 5 * 1024 * 1024);
    if (!whole || tooShort || numbers.some((number, index) => number !== index + 1))
      return fail(response, 400, 'InvalidPart');
    this.uploads.delete(id);
    this.objects.set(upload.path, { type: upload.type, body: Buffer.concat(bodies as Buffer[]) });
    this.partsOfLongest = Math.max(this.partsOfLongest, numbers.length);
    answerXml(response, `<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>`);
  }
}

const etagOf = (body: Buffer) => createHash('md5').update(body).digest('hex');

function dispositionOf(query: URLSearchParams): Record<string, string> {
  const disposition = query.get('response-content-disposition');
  return disposition === null ? {} : { 'Content-Disposition': disposition };
}

function answerXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

function refusalOfBody(headers: Record<string, string>, body: Buffer): string | undefined {
  const hash = headers['x-amz-content-sha256'];
  if (hash === undefined || hash === 'UNSIGNED-PAYLOAD') return undefined;
  return createHash('sha256').update(body).digest('hex') === hash ? undefined : 'XAmzContentSHA256Mismatch';
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
