/** The effect of an import on an entry. */
export const RESULTS = ['created', 'replaced', 'skipped', 'refused'] as const;
export type Result = (typeof RESULTS)[number];

export const SEVERITIES = ['lost', 'approximated', 'kept aside'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A note about a change of an entry during the import. */
export interface PlanNote {
  code: string;
  severity: Severity;
  consequence: 'score' | 'content' | 'look' | 'nothing';
  at: string;
  was: string;
  message: string;
  remedy: string;
}

/** A line of a plan. */
export interface PlanEntry {
  source: string;
  reference: string;
  kind: string | null;
  result: Result;
  notes: PlanNote[];
}

/** Filters entries. Absent: all. */
export interface PlanFilter {
  result?: Result;
  severity?: Severity;
}

interface PlanPage {
  entries: PlanEntry[];
  /** The byte at which the next page begins; absent at the end. */
  next?: number;
}

const NEW_LINE = 10;

/**
 * Reads a page of a plan from the byte at which it begins. Stops reading the answer at the end of the page, so that the
 * memory does not depend on the size of the plan.
 */
export async function readPlanPage(
  address: string,
  { from, size, filter, signal }: { from: number; size: number; filter: PlanFilter; signal: AbortSignal },
): Promise<PlanPage> {
  const stop = new AbortController();
  const response = await fetch(address, {
    headers: from > 0 ? { Range: `bytes=${from}-` } : {},
    signal: AbortSignal.any([signal, stop.signal]),
  });
  if (!response.ok || !response.body) throw new Error(`The plan cannot be read: ${response.status}.`);
  // A store may ignore the range and send the whole file.
  const start = response.status === 206 ? from : 0;
  const entries: PlanEntry[] = [];
  try {
    for await (const { text, at } of linesOf(response.body, start)) {
      if (at < from || text === '') continue;
      const entry = JSON.parse(text) as PlanEntry;
      if (!isWanted(entry, filter)) continue;
      if (entries.length === size) return { entries, next: at };
      entries.push(entry);
    }
    return { entries };
  } finally {
    stop.abort();
  }
}

const isWanted = ({ result, notes }: PlanEntry, filter: PlanFilter): boolean =>
  (filter.result === undefined || result === filter.result) &&
  (filter.severity === undefined || notes.some(({ severity }) => severity === filter.severity));

/** The lines of a file, each with the byte at which it begins. */
async function* linesOf(body: ReadableStream<Uint8Array>, start: number): AsyncGenerator<{ text: string; at: number }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let at = start;
  let rest = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const bytes = new Uint8Array(rest.length + value.length);
    bytes.set(rest);
    bytes.set(value, rest.length);
    let from = 0;
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, from)) {
      yield { text: decoder.decode(bytes.subarray(from, end)), at: at + from };
      from = end + 1;
    }
    at += from;
    rest = bytes.slice(from);
  }
  if (rest.length > 0) yield { text: decoder.decode(rest), at };
}
