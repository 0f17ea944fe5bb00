interface Listener {
  (...values: unknown[]): void;
  /** The listener of the page that this one calls once. */
  of?: Listener;
}

/** The events of one app, under their public names. */
export class Events {
  readonly #listeners = new Map<string, Set<Listener>>();
  #isClosed = false;
  /** Events that wait for {@link release}; undefined when none need to wait. */
  #held: [name: string, values: unknown[]][] | undefined;

  /** @param isHeld whether events wait until the page is ready to listen. */
  constructor(isHeld = false) {
    if (isHeld) this.#held = [];
  }

  /** @param names one or more, separated by blanks; `all` and `*` receive every event, with its name as the first argument. */
  on(names: string, listener: Listener): void {
    // Pages of the hosted service may pass a callback that is not there.
    if (typeof listener !== 'function') return console.warn(`Itembank: no function listens to ${names}.`);
    for (const name of names.split(/\s+/).filter(Boolean)) {
      const all = this.#listeners.get(name) ?? new Set();
      this.#listeners.set(name, all.add(listener));
    }
  }

  once(names: string, listener: Listener): void {
    const heard: Listener = (...values) => {
      this.off(names, heard);
      listener(...values);
    };
    heard.of = listener;
    this.on(names, typeof listener === 'function' ? heard : listener);
  }

  /** @param names absent: all events. */
  off(names?: string | null, listener?: Listener): void {
    for (const name of names?.split(/\s+/) ?? this.#listeners.keys()) {
      const all = this.#listeners.get(name);
      if (!listener) all?.clear();
      else for (const each of all ?? []) if (each === listener || each.of === listener) all!.delete(each);
    }
  }

  emit(name: string, ...values: unknown[]): void {
    if (this.#isClosed) return;
    if (this.#held) return void this.#held.push([name, values]);
    this.#call(name, values);
    for (const all of ['all', '*']) this.#call(all, [name, ...values]);
  }

  /** Emits the given events, and then the held ones in their order. Later events do not wait. */
  release(first: readonly string[]): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const name of first) this.emit(name);
    for (const [name, values] of held) this.emit(name, ...values);
  }

  /** Removes all listeners and ignores later events. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  #call(name: string, values: unknown[]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      try {
        listener(...values);
      } catch (error) {
        // An error in a listener of the page must not stop the test.
        setTimeout(() => {
          throw error;
        });
      }
  }
}
