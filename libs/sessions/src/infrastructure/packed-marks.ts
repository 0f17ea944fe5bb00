import { type JsonText } from '#kernel';
import { type Mark } from '../domain/session';

/** What is known of a response beside what reads show. Times in milliseconds. */
export interface StoredMark extends Mark {
  revision: number;
  scoredAt: number | null;
}

type Members = Record<string, unknown>;

/**
 * Marks as they are stored: what those of a session mostly have in common stands once, and of each only what differs. As
 * a list they would take as much room as the responses.
 */
export function packMarks(marks: readonly StoredMark[]): JsonText {
  const [first, second] = marks;
  const common: Members = { ...(second ?? first) };
  delete common.definition;
  const each = marks.map((mark) => {
    const own: Members = {};
    const members: Members = { ...mark };
    for (const name of new Set([...Object.keys(common), ...Object.keys(members)])) {
      const value = members[name];
      // A member that this one lacks is not to come from the common ones.
      if (value !== common[name]) own[name] = value === undefined ? ABSENT : value;
    }
    return own;
  });
  return JSON.stringify({ common, each });
}

/** No member of a mark is a list. */
const ABSENT: readonly [] = [];

export function unpackMarks(text: JsonText): StoredMark[] {
  const { common, each } = JSON.parse(text) as { common: Members; each: Members[] };
  return each.map((own) => {
    const mark: Members = { ...common, ...own };
    for (const name of Object.keys(own)) if (Array.isArray(own[name])) delete mark[name];
    return mark as unknown as StoredMark;
  });
}
