import { Fault, type FaultPlace, Unreachable } from './fault';

interface FaultMeta {
  code: number;
  message: string;
  request_uuid?: string;
  errors?: FaultPlace[];
}

let csrf = '';
const endings = new Set<() => void>();

/** Sets the token that proves that calls come from a page of the console. */
export function setCsrf(token: string): void {
  csrf = token;
}

/** Calls `listener` when a call finds that nobody is signed in any more. */
export function onSignedOut(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/**
 * Calls an address of the service.
 * @throws Fault, Unreachable.
 */
export async function http<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        'X-CSRF-Token': csrf,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable('The service cannot be reached.', { cause: error });
  }
  const text = await response.text();
  const parsed = text === '' ? undefined : parsedOrUndefined(text);
  if (response.ok) return parsed as T;
  const { meta } = (parsed ?? {}) as { meta?: FaultMeta };
  const {
    code = 0,
    message = `The service answered ${response.status}.`,
    errors,
    request_uuid: id,
  } = meta ?? ({} as FaultMeta);
  const fault = new Fault(message, response.status, code, errors, id);
  if (fault.isSignedOut && csrf !== '') for (const listener of endings) listener();
  throw fault;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
