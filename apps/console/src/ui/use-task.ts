import { useCallback, useRef, useState } from 'react';

/** Runs something that takes time, once at a time: says whether it runs and what went wrong. */
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
