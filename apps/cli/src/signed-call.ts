import { formatTimestamp, sign } from '#access';

/** Who calls, and where. */
export interface Caller {
  url: string;
  key: string;
  secret: string;
  domain: string;
}

/** The answer of the service: `meta`, and `data` where it succeeded. */
export interface Answer {
  meta: { status: boolean; next?: string; code?: number };
  data?: unknown;
  /** Seconds after which a call that came too soon may be repeated. */
  retryAfter?: number;
}

const VERSIONED = /^(v\d[^/]*|latest|latest-lts|developer)\//i;

/**
 * Calls an operation as the client libraries do: form-encoded, signed over the exact text.
 * @param path with or without a version segment
 * @throws Error when nothing answers, or something else than the service does
 */
export async function signedCall(caller: Caller, path: string, action: string, request: string): Promise<Answer> {
  const security = { consumerKey: caller.key, domain: caller.domain, timestamp: formatTimestamp(Date.now()) };
  const signature = sign({ security, request, action }, caller.secret, 'current');
  const fields = {
    security: JSON.stringify({
      consumer_key: security.consumerKey,
      domain: security.domain,
      timestamp: security.timestamp,
      signature,
    }),
    request,
    action,
  };
  const below = path.replace(/^\/+/, '');
  const url = `${caller.url.replace(/\/+$/, '')}/${VERSIONED.test(below) ? below : `v1/${below}`}`;
  const response = await post(url, fields);
  const text = await response.text();
  const answer = parsed(text);
  if (typeof answer?.meta?.status !== 'boolean')
    throw new Error(`${url} is not answered by this service (HTTP ${response.status}): ${text.slice(0, 200)}`);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isNaN(seconds) ? answer : { ...answer, retryAfter: seconds };
}

async function post(url: string, fields: Record<string, string>): Promise<Response> {
  try {
    return await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  } catch (error) {
    const { code, message } = (error as Error).cause as NodeJS.ErrnoException;
    const { origin } = new URL(url);
    throw new Error(
      `No service answers at ${origin} (${code ?? message}); start it with npm start, or say where it is with --url.`,
      { cause: error },
    );
  }
}

function parsed(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return undefined;
  }
}
