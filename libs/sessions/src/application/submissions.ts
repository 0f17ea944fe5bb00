import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type PinnedItem } from '#content';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { Fault, type JsonText, newId, type Scope } from '#kernel';
import { type SubscoreDefinition } from '#scoring';
import { type Form, type FormItem, formItem, type FormSettings } from '../domain/form';
import { Refused, saved } from '../domain/saving';
import { type Session } from '../domain/session';
import { type Submission } from '../domain/submission';
import { Forms, keyOf } from './forms';
import { ResponseScoring } from './response-scoring';
import { SessionChanges } from './session-changes';

/** The maximum bytes of the sessions in one request. They go into one row, which every database must accept. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The input of the job. */
interface Task {
  submissions: readonly Submission[];
  ignoreRevisions: boolean;
}

/** The outcome of a submission. */
interface Outcome {
  session_id: string;
  status: 'saved' | 'unchanged' | 'refused';
  message?: string;
}

interface State {
  outcomes: Outcome[];
}

/** The current items and activities at the time of processing. */
interface Current {
  items: Map<string, PinnedItem>;
  activities: Map<string, { settings: FormSettings; subscores: SubscoreDefinition[] }>;
  /** Items in the format of forms, by their scoring type and key. */
  made: Map<string, FormItem>;
}

/** Scores and saves submissions of learners: a job. */
@Injectable()
export class Submissions extends JobHandler<State> {
  override readonly type = 'save-sessions';

  constructor(
    private readonly jobs: Jobs,
    private readonly forms: Forms,
    private readonly marking: ResponseScoring,
    private readonly changes: SessionChanges,
  ) {
    super();
  }

  /**
   * Starts the job; returns its reference.
   * @param task at most 50 submissions, each of a different session.
   * @throws Fault for submissions that are too large to store in a job.
   */
  async start(task: Task, scope: Scope): Promise<string> {
    const input = JSON.stringify(task);
    const bytes = Buffer.byteLength(input);
    if (bytes > MAX_BYTES)
      throw new Fault(
        'too-large',
        `The sessions in data come to ${inMegabytes(bytes)} MB, decoded; one request takes ${inMegabytes(MAX_BYTES)} MB. Send fewer at a time.`,
        '/data',
      );
    return this.jobs.start({ type: this.type, lane: 'short', input }, scope);
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const { submissions, ignoreRevisions } = job.input as Task;
    if (!job.state) await this.save(job, submissions, ignoreRevisions);
    const { outcomes } = job.state!;
    const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
    return JSON.stringify({
      saved: count('saved'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      sessions: outcomes,
    });
  }

  private async save(
    job: RunningJob<State>,
    submissions: readonly Submission[],
    ignoreRevisions: boolean,
  ): Promise<void> {
    const { organisation } = job;
    const current = await this.current(organisation, submissions);
    const bySession = new Map(submissions.map((submission) => [submission.sessionId, submission]));
    const outcomes = new Map<string, Outcome>();
    const forms = new Map<string, Form>();
    const change = async (before: Session | undefined, sessionId: string): Promise<Session | undefined> => {
      const record = (status: Outcome['status'], message?: string) =>
        outcomes.set(sessionId, { session_id: sessionId, status, ...(message === undefined ? {} : { message }) });
      try {
        const submission = bySession.get(sessionId)!;
        const form = await this.formFor(organisation, submission, before, current);
        const { now } = job.scope;
        const complete = before ? submission : withSubscores(submission, current);
        const next = saved(before, complete, form, { ignoreRevisions, id: newId(now), now });
        const session = await this.marking.marked(next.session, form, next.changed, { now, job: job.id });
        const same = next.changed.length === 0 && isDeepStrictEqual(session, before);
        record(same ? 'unchanged' : 'saved');
        forms.set(form.id, form);
        return same ? undefined : session;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        record('refused', error.message);
        return undefined;
      }
    };
    await this.changes.apply(job, [...bySession.keys()], change, { cause: 'submission' }, async () => {
      await this.forms.keep(organisation, [...forms.values()]);
      return {
        state: { outcomes: [...bySession.keys()].map((id) => outcomes.get(id)!) },
        progress: { done: submissions.length, total: submissions.length },
      };
    });
  }

  private async current(organisation: number, submissions: readonly Submission[]): Promise<Current> {
    const wanted = submissions.filter(({ form }) => form === undefined);
    const items = await this.forms.pinned(
      organisation,
      wanted.flatMap((submission) => submission.items),
    );
    const activities: Current['activities'] = new Map();
    for (const { activityTemplateId: reference } of wanted)
      if (reference !== null && !activities.has(reference))
        activities.set(reference, await this.forms.activity(organisation, reference));
    return { items, activities, made: new Map() };
  }

  /**
   * The form of the session with its former items and the new ones. New items are the submitted ones, or the current
   * ones.
   */
  private async formFor(
    organisation: number,
    submission: Submission,
    before: Session | undefined,
    current: Current,
  ): Promise<Form> {
    const forms = await this.forms.of(organisation, [before?.formId ?? [], submission.form ?? []].flat());
    const known = forms.get(before?.formId ?? submission.form ?? '');
    const sent = new Map(forms.get(submission.form ?? '')?.items.map((item) => [keyOf(item), item]));
    const named = new Set(known?.items.map(keyOf));
    const fresh = submission.items.filter((item) => !named.has(keyOf(item)));
    if (known && fresh.length === 0) return known;
    const added = fresh.map((item) => {
      const taken = sent.get(keyOf(item));
      if (taken) return taken;
      const pinned = current.items.get(keyOf(item));
      if (!pinned)
        throw new Refused(`there is no item ${JSON.stringify(item.reference)} in organisation ${item.organisation}`);
      return itemFor(pinned, submission, current);
    });
    const settings = known?.settings ?? current.activities.get(submission.activityTemplateId ?? '')?.settings ?? {};
    return this.forms.compose([...(known?.items ?? []), ...added], settings);
  }
}

const inMegabytes = (bytes: number): string => String(Math.ceil((bytes / (1024 * 1024)) * 10) / 10);

/** Caches items, because many submissions contain the same ones. */
function itemFor(pinned: PinnedItem, { scoringType }: Submission, { made }: Current): FormItem {
  const key = `${scoringType ?? ''} ${keyOf(pinned)}`;
  const known = made.get(key) ?? formItem(pinned, scoringType);
  made.set(key, known);
  return known;
}

function withSubscores(submission: Submission, { activities }: Current): Submission {
  if (submission.subscores !== null) return submission;
  return { ...submission, subscores: activities.get(submission.activityTemplateId ?? '')?.subscores ?? null };
}
