import { foldCase } from '#kernel';
import { type SessionOutcome, type SessionTag } from '#sessions';
import { type Group, type GroupFigures, GroupSummaries } from '../domain/analysis/group-summary';
import { type DatasetSelection, type DatasetSessions } from './dataset-sessions';
import { slicesOf, type Target } from './targets';

/** Maximum number of sessions in memory. */
const BATCH_SIZE = 500;

/** The results of groups of sessions: all sessions, each tag, and each activity when a tag selects the sessions. */
export async function summaries(
  scan: DatasetSessions,
  { organisation, type }: Target,
  selections: readonly DatasetSelection[],
  report: (done: number) => Promise<void>,
): Promise<GroupFigures[]> {
  const groups = new GroupSummaries();
  const byTag = type === 'sessions-summary-by-group';
  const chosenBy = selections.flatMap((selection) => ('tag' in selection ? [keyOfTag(selection.tag)] : []));
  let done = 0;
  const read = (of: DatasetSelection, limit: number, after?: string) => scan.outcomes(organisation, of, limit, after);
  for await (const sessions of slicesOf(selections, BATCH_SIZE, read)) {
    for (const session of sessions) {
      const tags = tagsOf(session).filter(({ key }) => !chosenBy.includes(key));
      groups.add(session, [
        ...(byTag ? [activityOf(session)] : []),
        ...(session.tags?.length === 0 && !byTag ? [UNTAGGED] : tags),
      ]);
    }
    await report((done += sessions.length));
  }
  return groups.figures();
}

interface Named {
  group: Group;
  key: string;
}

const UNTAGGED: Named = { group: { kind: 'untagged', type: null, name: null }, key: '' };

const activityOf = ({ activityId }: SessionOutcome): Named => ({
  group: { kind: 'activity', type: null, name: activityId },
  key: JSON.stringify([activityId]),
});

const keyOfTag = ({ type, name }: SessionTag): string => JSON.stringify([foldCase(type), foldCase(name)]);

/** Removes duplicates that differ only in case. */
function tagsOf({ tags }: SessionOutcome): Named[] {
  const named = new Map<string, Named>();
  for (const { type, name } of tags ?? []) {
    const key = keyOfTag({ type, name });
    if (!named.has(key)) named.set(key, { group: { kind: 'tag', type, name }, key });
  }
  return [...named.values()];
}
