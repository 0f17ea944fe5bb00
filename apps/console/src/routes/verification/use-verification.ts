import { useEffect, useRef, useState } from 'react';
import { lines } from '../../operations/http';

export interface Finding {
  kind: string;
  reference: string;
  found: string;
  expected: string;
}

type Line =
  | { record: 'progress'; check: string; rows: number; is_done: boolean }
  | ({ record: 'finding' } & Finding)
  | { record: 'end'; rows: number };

export interface Run {
  state: 'running' | 'ended' | 'stopped' | 'incomplete' | 'failed';
  /** Rows of each check, in the order in which they run. */
  checks: Record<string, number>;
  current: string;
  /** At most {@link MAX_SHOWN}. */
  findings: Finding[];
  found: number;
  rows: number;
  fault: unknown;
}

export const MAX_SHOWN = 500;

const BEGINNING: Run = { state: 'running', checks: {}, current: '', findings: [], found: 0, rows: 0, fault: null };

/** A verification of an organisation. It ends when the screen is left. */
export function useVerification(organisation: number) {
  const [run, setRun] = useState<Run>();
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  async function start() {
    const stop = new AbortController();
    stopper.current = stop;
    setRun(BEGINNING);
    try {
      for await (const line of lines<Line>(`/console/verifications/${organisation}`, stop.signal))
        setRun((before) => before && after(before, line));
      setRun((before) => before && (before.state === 'running' ? { ...before, state: 'incomplete' } : before));
    } catch (fault) {
      setRun((before) => before && { ...before, state: stop.signal.aborted ? 'stopped' : 'failed', fault });
    }
  }

  return { run, start: () => void start(), stop: () => stopper.current?.abort() };
}

function after(run: Run, line: Line): Run {
  if (line.record === 'end') return { ...run, state: 'ended', rows: line.rows };
  if (line.record === 'progress')
    return { ...run, current: line.check, checks: { ...run.checks, [line.check]: line.rows } };
  const { kind, reference, found, expected } = line;
  const findings = run.found < MAX_SHOWN ? [...run.findings, { kind, reference, found, expected }] : run.findings;
  return { ...run, findings, found: run.found + 1 };
}
