import { type JsonText } from '#kernel';
import { type Mark } from '../domain/session';

/** What is known of a response beside what reads show. Times in milliseconds. */
export interface StoredMark {
  mark: Mark;
  revision: number;
  scoredAt: number | null;
}

type Members = Record<string, unknown>;

/* Members are gone through one by one: copying with `...` takes several times as long, and sessions have many marks. */

/**
 * Marks as they are stored: what those of a session mostly have in common stands once, and of each only what differs. As
 * a list they would take as much room as the responses.
 */
export function packMarks(marks: readonly StoredMark[]): JsonText {
  const all = marks.map(({ mark, revision, scoredAt }) => {
    const members: Members = {};
    return Object.assign(members, mark, { revision, scoredAt });
  });
  const { definition: _, ...common }: Members = all[1] ?? all[0] ?? {};
  const each = all.map((members) => {
    const own: Members = {};
    for (const name in members) if (members[name] !== common[name]) own[name] = members[name];
    // A member that this one lacks is not to come from the common ones.
    for (const name in common) if (members[name] === undefined && common[name] !== undefined) own[name] = ABSENT;
    return own;
  });
  return JSON.stringify({ common, each });
}

/** No member of a mark is a list. */
const ABSENT: readonly [] = [];

export function unpackMarks(text: JsonText): StoredMark[] {
  const { common, each } = JSON.parse(text) as { common: Members; each: Members[] };
  return each.map((own) => {
    const mark: Members = {};
    for (const name in common) if (own[name] === undefined && isOfMark(name)) mark[name] = common[name];
    for (const name in own) if (!Array.isArray(own[name]) && isOfMark(name)) mark[name] = own[name];
    const { revision = common.revision, scoredAt = common.scoredAt } = own;
    return { mark, revision, scoredAt } as unknown as StoredMark;
  });
}

const isOfMark = (name: string): boolean => name !== 'revision' && name !== 'scoredAt';
