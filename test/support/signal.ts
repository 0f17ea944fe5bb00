/** A promise with a function that resolves it, with which one side of a test lets the other go on. */
export interface Signal {
  promise: Promise<void>;
  give(): void;
}

export function signal(): Signal {
  let give!: () => void;
  const promise = new Promise<void>((resolve) => (give = resolve));
  return { promise, give };
}
