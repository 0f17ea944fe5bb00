import { type JsonText } from '#kernel';
import { type Mark } from '../domain/session';

/** Facts about a response that reads do not show. Times are in milliseconds. */
export interface StoredMark {
  mark: Mark;
  revision: number;
  scoredAt: number | null;
}

type Members = Record<string, unknown>;

/* The loops copy members one by one, because `...` takes several times as long and sessions have many marks. */

/**
 * Packs marks for storage: the common members once, and for each mark the members that differ. An unpacked list would take
 * as much space as the responses.
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
    // Notes that this mark lacks a common member.
    for (const name in common) if (members[name] === undefined && common[name] !== undefined) own[name] = ABSENT;
    return own;
  });
  return JSON.stringify({ common, each });
}

/** Stands for an absent member. No member of a mark is a list. */
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
