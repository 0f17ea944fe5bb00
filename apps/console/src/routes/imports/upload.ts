import { call, type Input } from '../../operations/call';
import { Unreachable } from '../../operations/fault';

export type Format = NonNullable<Input<'set itembank/imports'>['format']>;
export type CollisionRule = NonNullable<Input<'set itembank/imports'>['on_collision']>;

export const FORMATS: readonly Format[] = ['qti', 'moodle-xml', 'qti-1.2', 'gift', 'aiken', 'csv', 'ndjson'];
export const COLLISION_RULES: readonly CollisionRule[] = ['fail', 'skip', 'replace', 'new-reference'];

/** The options of an import. */
export interface ImportOptions {
  /** Absent: detected from the content. */
  format?: Format;
  rule: CollisionRule;
}

const MAX_NAME = 100;
const TOO_LARGE = 413;

/** The file exceeds the size limit of the service. */
export class TooLarge extends Error {}

/** Uploads a file. @returns its key */
export async function upload(file: File, tell: (share: number) => void, signal: AbortSignal): Promise<string> {
  const { data } = await call('get itembank/upload/imports', { name: shortened(file.name) }, signal);
  await put(file, data.upload, data.content_type, tell, signal);
  return data.key;
}

/** Starts the job that plans the import of an uploaded file. @returns the reference of the import */
export async function plan(key: string, { format, rule }: ImportOptions): Promise<string> {
  const { data } = await call('set itembank/imports', { key, on_collision: rule, ...(format ? { format } : {}) });
  return data.reference;
}

/** A valid name for the service, with the extension of the file. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  const extension = [...(/\.[^.]{1,20}$/.exec(name)?.[0] ?? '')];
  return [...characters.slice(0, MAX_NAME - extension.length), ...extension].join('');
}

/** `fetch` does not report the progress of an upload. */
function put(file: File, address: string, type: string, tell: (share: number) => void, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', address);
    request.setRequestHeader('Content-Type', type);
    request.upload.onprogress = ({ loaded, total }) => tell(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status === TOO_LARGE) reject(new TooLarge());
      else if (request.status >= 400) reject(new Error(`${file.name}: ${request.status} ${request.statusText}`));
      else resolve();
    };
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
