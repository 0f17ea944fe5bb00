import {
  type Checked,
  type Delivery,
  type DeliveredItem,
  Refused,
  type Save,
  type Saved,
  type Started,
  type Submitted,
  type Supervised,
  type SupervisorStep,
  type Time,
} from './port';

/** The time in which an answer must begin. A slow connection also takes a millisecond for each byte that it sends. */
const TIMEOUT_MS = 20_000;
/** The time for the rest of an answer. The items of a test may be large. */
const REST_TIMEOUT_MS = 300_000;
/** Browsers refuse larger bodies of calls that may outlive their page; their limit is 64 KiB. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** The delivery service of an installation. */
export class OverHttp implements Delivery {
  #token: string | undefined;

  /**
   * @param service its address, with a slash at the end.
   * @param signed the call that the integrator's server signed; `request` is the exact text.
   */
  constructor(
    private readonly service: string,
    private readonly signed: { security: unknown; request: string },
  ) {}

  async start(): Promise<Started> {
    this.#token = undefined;
    const { token, ...started } = await this.#call<Started & { token: string }>('POST', 'sessions', this.signed);
    this.#token = token;
    return started;
  }

  save(save: Save): Promise<Saved> {
    return this.#call('PUT', 'sessions/current/responses', save);
  }

  next(save: Save): Promise<Saved & { items: DeliveredItem[] }> {
    return this.#call('POST', 'sessions/current/items', save);
  }

  submit(save: Save): Promise<Submitted> {
    return this.#call('POST', 'sessions/current/submissions', save);
  }

  pause(paused: boolean): Promise<{ time: Time }> {
    return this.#call('POST', 'sessions/current/pauses', { paused });
  }

  supervise(password: string, step?: SupervisorStep): Promise<Supervised> {
    return this.#call('POST', 'sessions/current/supervisions', { password, ...step });
  }

  check(responseId: string, response: unknown): Promise<Checked> {
    return this.#call('POST', 'sessions/current/checks', { response_id: responseId, response });
  }

  async #call<T>(method: string, path: string, body: unknown): Promise<T> {
    const sent = new TextEncoder().encode(JSON.stringify(body));
    const giveUp = new AbortController();
    const within = (ms: number) => {
      const timeout = AbortSignal.timeout(ms);
      timeout.onabort = () => giveUp.abort(timeout.reason);
      return timeout;
    };
    const begin = within(TIMEOUT_MS + sent.byteLength);
    const answer = await fetch(`${this.service}delivery/v1/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
      },
      body: sent,
      signal: giveUp.signal,
      // Lets a save complete after the page closes.
      keepalive: path.endsWith('responses') && sent.byteLength < MAX_KEEPALIVE_BYTES,
    });
    const arrived = performance.now();
    begin.onabort = null;
    within(REST_TIMEOUT_MS);
    return resultOf<T>(answer, await answer.text(), arrived);
  }
}

/** @throws Refused */
function resultOf<T>({ ok, status }: Response, text: string, arrived: number): T {
  const json = parsed(text);
  if (ok && json) {
    const { time } = json as { time?: Time };
    if (time) time.arrived = arrived;
    return json as T;
  }
  const {
    errors = [],
    save_number: saveNumber,
    is_over: isOver,
    starts_at: startsAt,
    starts_in_seconds: inSeconds,
  } = (json ?? {}) as {
    errors?: { code: number; message: string }[];
    save_number?: number;
    is_over?: true;
    starts_at?: string;
    starts_in_seconds?: number;
  };
  const message = errors.map((error) => error.message).join(' ') || `The service answered ${status}.`;
  const start = startsAt === undefined ? undefined : { at: Date.parse(startsAt), inSeconds: inSeconds ?? 0 };
  throw new Refused(status, errors[0]?.code ?? 0, message, saveNumber, isOver, start);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
