type Listener = (...values: unknown[]) => void;

/** The events of one app, under their public names. */
export class Events {
  readonly #listeners = new Map<string, Set<Listener>>();
  #isClosed = false;

  /** @param names one or more, separated by blanks; `all` receives every event, with its name as the first argument. */
  on(names: string, listener: Listener): void {
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
    this.on(names, heard);
  }

  off(names: string, listener?: Listener): void {
    for (const name of names.split(/\s+/).filter(Boolean))
      if (listener) this.#listeners.get(name)?.delete(listener);
      else this.#listeners.delete(name);
  }

  emit(name: string, ...values: unknown[]): void {
    if (this.#isClosed) return;
    this.#call(name, values);
    this.#call('all', [name, ...values]);
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
