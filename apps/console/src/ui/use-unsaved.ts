import { type RegisteredRouter, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useMemo, useRef } from 'react';

/**
 * Asks before the back button or a reload discards what a person has typed into a form.
 * @param question undefined: nothing is asked.
 * @param withLinks whether it also asks before a link leads to another screen. Nobody reaches links from a dialog.
 */
export function useUnsaved(question: string | undefined, { withLinks = false } = {}) {
  // The dialogs around the screens have no router.
  const router = useRouter({ warn: false }) as RegisteredRouter | null;
  const typedIn = useRef<Element>(null);

  const unsaved = useMemo(() => {
    // A form that was saved is gone.
    const isTyped = () => question !== undefined && typedIn.current?.isConnected === true;
    return {
      isTyped,
      /** Whether nothing is lost, or the person discards it. */
      mayLeave: () => !isTyped() || confirm(question),
      noteTyping({ target }: FormEvent) {
        const field = target as HTMLInputElement;
        const form = field.closest('form');
        if (form && field.type !== 'search' && field.type !== 'password') typedIn.current = form;
      },
      forget() {
        typedIn.current = null;
      },
    };
  }, [question]);

  useEffect(
    () =>
      router?.history.block({
        enableBeforeUnload: unsaved.isTyped,
        async blockerFn({ action, currentLocation, nextLocation }) {
          const isOwn = action === 'PUSH' || action === 'REPLACE';
          if (isOwn && (!withLinks || currentLocation.pathname === nextLocation.pathname)) return false;
          if (!unsaved.mayLeave()) return true;
          unsaved.forget();
          return false;
        },
      }),
    [router, unsaved, withLinks],
  );
  return unsaved;
}
