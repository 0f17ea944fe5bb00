import { type ComponentType, useSyncExternalStore } from 'react';

let Toasts: ComponentType | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Announces that something was done. Says nothing when its code cannot be loaded. */
export function toast(message: string): void {
  import('./toasts').then(
    ({ default: code, show }) => {
      Toasts = code;
      for (const listener of listeners) listener();
      show(message);
    },
    () => undefined,
  );
}

/** The place of the announcements. Their code is loaded with the first one. */
export function ToastArea() {
  const Shown = useSyncExternalStore(subscribe, () => Toasts);
  return Shown && <Shown />;
}
