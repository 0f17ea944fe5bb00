import { lazy, Suspense, useSyncExternalStore } from 'react';

const load = () => import('./toasts');
const Toasts = lazy(load);

let isNeeded = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Announces that something was done. */
export function toast(message: string): void {
  isNeeded = true;
  for (const listener of listeners) listener();
  void load().then(({ show }) => show(message));
}

/** The place of the announcements. Their code is loaded with the first one. */
export function ToastArea() {
  const isOpen = useSyncExternalStore(subscribe, () => isNeeded);
  return (
    isOpen && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  );
}
