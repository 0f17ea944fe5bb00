import type { StoredResponse } from './delivery/port';

/** The part of a session that the browser stores until the service has acknowledged it. */
export interface Unsaved {
  responses: Record<string, StoredResponse | null>;
}

const IV_BYTES = 12;

/**
 * Stores unacknowledged answers in the browser, so that a crash of the page loses none. Each page of a session has its own
 * entry, so that no page overwrites the answers of another one.
 */
export class UnsavedAnswers {
  readonly #entry: string;
  /** The entries of other pages. The next entry of this page contains their answers, and replaces them. */
  #others = new Map<string, string>();
  /** Writes run one after another, so that the last one remains. */
  #writing: Promise<unknown> = Promise.resolve();
  #key: Promise<CryptoKey> | undefined;

  /**
   * @param name of the session in the browser.
   * @param secret key of the session. If the browser can, it encrypts the answers with this key.
   */
  constructor(
    private readonly name: string,
    secret: string | undefined,
  ) {
    this.#entry = `${name}\n${Math.random().toString(36).slice(2)}`;
    // Pages without TLS have no Web Crypto.
    const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
    if (secret !== undefined && subtle)
      this.#key = subtle.importKey('raw', bytesOf(secret), 'AES-GCM', false, ['encrypt', 'decrypt']);
  }

  /** The latest answers that pages of the session have left. */
  async read(): Promise<Unsaved> {
    const latest: Unsaved['responses'] = {};
    try {
      // Entries of earlier releases have only the name.
      const isOfSession = (key: string) => key === this.name || key.startsWith(`${this.name}\n`);
      for (const key of Object.keys(localStorage).filter(isOfSession))
        this.#others.set(key, localStorage.getItem(key) ?? '');
    } catch {
      // Storage is switched off.
    }
    for (const kept of this.#others.values())
      try {
        const { responses = {} } = JSON.parse(await this.#decrypted(kept)) as Partial<Unsaved>;
        for (const [id, response] of Object.entries(responses))
          if ((response?.revision ?? 0) > (latest[id]?.revision ?? 0)) latest[id] = response;
      } catch {
        // The entry is damaged, or has another key.
      }
    return { responses: latest };
  }

  /** @returns whether the browser stored it. */
  async write(unsaved: Unsaved): Promise<boolean> {
    const write = async () => {
      if (Object.keys(unsaved.responses).length === 0) localStorage.removeItem(this.#entry);
      else localStorage.setItem(this.#entry, await this.#encrypted(JSON.stringify(unsaved)));
      for (const [key, kept] of this.#others) if (localStorage.getItem(key) === kept) localStorage.removeItem(key);
      this.#others.clear();
    };
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => undefined);
    return written.then(
      () => true,
      // Storage is full or switched off.
      () => false,
    );
  }

  async #encrypted(text: string): Promise<string> {
    if (!this.#key) return text;
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv },
      await this.#key,
      new TextEncoder().encode(text),
    );
    return textOf(iv, new Uint8Array(sealed));
  }

  async #decrypted(kept: string): Promise<string> {
    if (!this.#key) return kept;
    const bytes = bytesOf(kept);
    const algorithm = { name: 'AES-GCM', iv: bytes.slice(0, IV_BYTES) };
    const opened = await crypto.subtle.decrypt(algorithm, await this.#key, bytes.slice(IV_BYTES));
    return new TextDecoder().decode(opened);
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const textOf = (...parts: Uint8Array[]): string =>
  btoa(parts.map((part) => Array.from(part, (byte) => String.fromCharCode(byte)).join('')).join(''));
