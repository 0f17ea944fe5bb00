import { useCallback, useRef, useState } from 'react';

/** Runs an asynchronous task, one call at a time. Returns whether it runs, and its error. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const running = useRef(false);
  const run = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFault(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFault(error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  return { run, isBusy, fault, clear: useCallback(() => setFault(null), []) };
}
