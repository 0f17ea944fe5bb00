type Listener = (...values: unknown[]) => void;

/** The events of one app, by the names that pages know. */
export class Events {
  readonly #listeners = new Map<string, Set<Listener>>();
  #isClosed = false;

  /** @param names several, parted by blanks; `all` hears every event, with its name first. */
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

  /** After this nothing is heard. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  #call(name: string, values: unknown[]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      try {
        listener(...values);
      } catch (error) {
        // A fault of the page must not stop the test.
        setTimeout(() => {
          throw error;
        });
      }
  }
}
