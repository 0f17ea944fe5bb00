import { file, http } from '../../operations/http';

/** A learner of an organisation, by the id that programs sent. */
export interface Learner {
  organisation: number;
  user_id: string;
}

/** The report of an erasure: what it removed, or would remove. */
export interface Report {
  learner_sha256: string;
  found: boolean;
  sessions: { anonymised: number; removed: number };
  attempts: number;
  score_changes: number;
  session_tags: number;
  marks: number;
  rescored_sessions: number;
  audit_entries: number;
  events: { removed: number; emptied: number; deliveries: number };
  jobs: { changed: number; put_back: number };
  kept_answers: number;
  files: string[];
  sessions_meanwhile: number;
  is_author: boolean;
}

/** The stored data of a learner, in numbers. */
export type Stored = Report & { erased_at: string[] };

const PATH = '/console/learners';

export const look = (learner: Learner) => http<Stored>('POST', `${PATH}/look`, learner);

export const erase = (learner: Learner) => http<Report>('POST', `${PATH}/erase`, learner);

/** The maximum length of a last line that reports an incomplete export. */
const LAST_LINE_BYTES = 10_000;

/** All data of a learner, and what could not be exported. */
export async function exported(learner: Learner): Promise<{ content: Blob; missing?: string }> {
  const content = await file(`${PATH}/export`, learner);
  const end = await content.slice(-LAST_LINE_BYTES).text();
  const last = end.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{"record":"incomplete"')) return { content };
  return { content, missing: (JSON.parse(last) as { message: string }).message };
}

/** Downloads content as a file. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
