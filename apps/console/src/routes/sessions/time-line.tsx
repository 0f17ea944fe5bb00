import { Anchor, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../../operations/call';
import type { User } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { authorName } from '../../texts/author-name';
import { dateOf, numberOf } from '../../texts/texts';
import { QueryFault } from '../../ui/loaded';
import { useSubjects } from '../audit/audit';
import type { Reasons, Session } from './shown-session';
import { isStatus, useSessionsTexts } from './texts';

const CAUSES = ['submission', 'manual', 'rescoring', 'completion', 'revert'] as const;
type Cause = (typeof CAUSES)[number];
const isCause = (text: string | undefined): text is Cause => (CAUSES as readonly (string | undefined)[]).includes(text);

interface Happened {
  at: string;
  text: string;
  author?: User | null;
  job?: string | null;
}

/** The largest page of the audit log. */
const MAX_ENTRIES = 50;

/** The changes of the status that the audit log has. Empty for people who may not read them. */
function useStatusChanges(session: string, name: (status: string) => string): { all: Happened[]; query: Query } {
  const t = useSessionsTexts();
  const mayRead = useSubjects().includes('session');
  const input = { subjects: ['session' as const], references: [session], limit: MAX_ENTRIES };
  const query = useQuery({ ...read('get itembank/audit', input), enabled: mayRead });
  const all = (query.data?.data ?? []).flatMap(({ detail, author, dt_created: at }): Happened[] => {
    const { before, after } = detail as { before?: { status?: string }; after?: { status?: string } };
    const [from, to] = [before?.status, after?.status];
    if (from === undefined || to === undefined || from === to) return [];
    return [{ at, text: t('event_status', name(from), name(to)), author }];
  });
  return { all, query };
}

type Query = Parameters<typeof QueryFault>[0]['query'];

/** The history of a session, oldest first. */
export function TimeLine({ session, reasons }: { session: Session; reasons?: readonly (Reasons | undefined)[] }) {
  const t = useSessionsTexts();
  const { person } = useWorkplace().session;
  const score = (value: number | null | undefined) => (typeof value === 'number' ? numberOf(value) : '–');
  const all: Happened[] = [{ at: session.dt_started, text: t('event_started') }];
  if (session.dt_completed !== null) all.push({ at: session.dt_completed, text: t('event_completed') });
  for (const [at, response] of session.responses.entries()) {
    const { question_reference: question = '', dt_score_updated: updated } = response;
    const changes = reasons?.[at]?.changes ?? [];
    for (const {
      dt_changed: time,
      cause,
      changed_by: author,
      job_reference: job,
      score_before: from,
      score_after: to,
    } of changes)
      if (time !== undefined && isCause(cause))
        all.push({ at: time, text: t(`event_${cause}`, question, score(from), score(to)), author, job });
    if (updated && !changes.some(({ dt_changed: time }) => time === updated))
      all.push({ at: updated, text: t('event_updated', question) });
  }
  const changes = useStatusChanges(session.session_id, (status) => (isStatus(status) ? t(status) : status));
  all.push(...changes.all);
  all.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t('time_line')}
      </Title>
      <QueryFault query={changes.query} />
      <Timeline active={all.length} bulletSize={14} lineWidth={2}>
        {all.map(({ at, text, author, job }, index) => (
          <Timeline.Item key={index}>
            <Text className="wrap">{text}</Text>
            <Text size="sm" c="dimmed">
              {dateOf(at)}
              {author && ` ${t('by', author.id === person.id ? t('you') : authorName(author))}`}
              {job && (
                <>
                  {' · '}
                  <Anchor
                    inherit
                    underline="always"
                    renderRoot={(props) => <Link to="/jobs" search={{ job }} {...props} />}
                  >
                    {t('job', job)}
                  </Anchor>
                </>
              )}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </section>
  );
}
