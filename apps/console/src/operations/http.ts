import { Fault, type FaultPlace, Unreachable } from './fault';

interface FaultMeta {
  code: number;
  message: string;
  request_uuid?: string;
  errors?: FaultPlace[];
}

/** The token that proves that calls come from a page of the console, and the person in whose name they are. */
let own = { csrf: '', person: '' };
const endings = new Set<() => void>();
const refusals = new Set<() => void>();

/** Sets the person who is signed in, and their token. Empty: nobody. */
export function setCaller(person: string, csrf: string): void {
  own = { csrf, person };
}

/** Whether calls are in the name of this person. */
export const isCaller = (person: string): boolean => own.person === person;

/** Calls `listener` when a call finds that the person of this page is not signed in any more. */
export function onSignedOut(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/** Calls `listener` when the service refuses a call because of the roles that the person has now. */
export function onRefused(listener: () => void): () => void {
  refusals.add(listener);
  return () => refusals.delete(listener);
}

/** A page without input for this time is unattended. What it reads by itself does not keep the sign-in alive. */
const UNATTENDED_MS = 5 * 60_000;
let usedAt = Date.now();
for (const input of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(input, () => (usedAt = Date.now()), { capture: true, passive: true });

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Calls an address of the service.
 * @throws Fault, Unreachable.
 */
export async function http<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await answered(method, path, body, signal);
  const text = await received(response.text(), signal);
  return (text === '' ? undefined : parsedOrUndefined(text)) as T;
}

/**
 * Reads a file that the service makes for this call.
 * @throws Fault, Unreachable.
 */
export async function file(path: string, body: unknown): Promise<Blob> {
  return received((await answered('POST', path, body)).blob());
}

/**
 * Reads JSON lines while the service writes them.
 * @throws Fault, Unreachable.
 */
export async function* lines<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  const response = await answered('POST', path, {}, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => received(reader.read(), signal);
  let text = '';
  for (let part = await next(); !part.done; part = await next()) {
    const whole = (text + part.value).split('\n');
    text = whole.pop()!;
    for (const line of whole) yield JSON.parse(line) as T;
  }
}

/** @throws Unreachable if the connection ends before the answer, or a part of it, has arrived. */
async function received<T>(part: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await part;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable('The connection to the service was lost.', { cause: error });
  }
}

/** The code of calls with a wrong token. */
const WRONG_TOKEN = 41005;
/** The status of calls that the roles of the person do not allow. */
const FORBIDDEN = 403;

async function answered(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  isRenewed = false,
): Promise<Response> {
  const { csrf, person } = own;
  const call = fetch(path, {
    method,
    headers: {
      'X-CSRF-Token': csrf,
      ...(Date.now() - usedAt > UNATTENDED_MS ? { 'X-Unattended': 'yes' } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  const response = await received(call, signal);
  if (response.ok) return response;
  const text = await received(response.text(), signal);
  const { meta } = (parsedOrUndefined(text) ?? {}) as { meta?: FaultMeta };
  // A proxy answers in place of the service.
  if (!meta && [502, 503, 504].includes(response.status)) throw new Unreachable(String(response.status));
  const {
    code = 0,
    message = `The service answered ${response.status}.`,
    errors,
    request_uuid: id,
  } = meta ?? ({} as FaultMeta);
  const fault = new Fault(message, response.status, code, errors, id);
  if (code === WRONG_TOKEN && !isRenewed && csrf !== '') {
    const now = await callerNow(signal);
    if (now.person === person && now.csrf !== csrf) {
      setCaller(now.person, now.csrf);
      return answered(method, path, body, signal, true);
    }
    fault.isSignedOut = now.person !== person;
  }
  // The page may know already who has signed in since the call.
  if (fault.isSignedOut && csrf !== '' && own.person === person) for (const listener of endings) listener();
  if (fault.status === FORBIDDEN) for (const listener of refusals) listener();
  throw fault;
}

/** The person who is signed in now, and their token. A sign-in in another tab changes the token, and maybe the person. */
export async function callerNow(signal?: AbortSignal): Promise<typeof own> {
  const response = await answered('GET', '/console/session', undefined, signal, true);
  const { person, csrf = '' } = (await response.json()) as { person: { id: string } | null; csrf?: string };
  return { person: person?.id ?? '', csrf };
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
