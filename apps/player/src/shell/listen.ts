import type { ReactiveControllerHost } from 'lit';

/** Listens to events of the window while the host is on the page. */
export function listen(host: ReactiveControllerHost, listeners: Record<string, (event: never) => void>): void {
  const entries = Object.entries(listeners) as [string, EventListener][];
  host.addController({
    hostConnected: () => entries.forEach((entry) => window.addEventListener(...entry)),
    hostDisconnected: () => entries.forEach((entry) => window.removeEventListener(...entry)),
  });
}
