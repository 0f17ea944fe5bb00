import { Injectable } from '@nestjs/common';
import { type JobChange, type JobTexts, type ErasableJob, JobsErasure } from '#jobs';
import { Fault, isObject, type Json } from '#kernel';
import { type DatasetType } from '#reporting';
import { RescoringErasure } from '#rescoring';
import { SessionsErasure, type SessionsWith } from '#sessions';
import { Redaction, sessionsIn, sessionsSubmittedBy, type Traces } from '../domain/redaction';
import { LearnerSessions } from './learner-sessions';
import { type Erasing } from './session-removal';

/** Types of jobs whose texts name sessions. */
export const SESSION_JOBS = [
  'save-sessions',
  'update-session-statuses',
  'set-session-metadata',
  'update-response-scores',
  'collect-marking-round',
  'rescore-sessions',
  'calculate-subscores',
  'rescore-item',
  'apply-rescoring',
  'revert-rescoring',
];
const RESCORINGS: readonly string[] = ['rescore-item', 'apply-rescoring', 'revert-rescoring'];
const DATASETS: readonly string[] = ['dataset'];
const ERASED = 'erased';

/** The input of a dataset's job. */
interface Dataset {
  type: DatasetType;
  id: string;
}

/** A job with the values of its JSON texts: its input, and then its state and its results if it has them. */
interface ReadJob extends ErasableJob {
  values: Json[];
}

/** Removes a learner from the input and results of jobs. */
@Injectable()
export class LearnerJobs {
  constructor(
    private readonly jobs: JobsErasure,
    private readonly sessions: SessionsErasure,
    private readonly rescorings: RescoringErasure,
    private readonly names: LearnerSessions,
  ) {}

  /**
   * Removes the files of datasets that include sessions of the learner, and restarts those in progress. Call it before
   * the sessions are removed.
   * @param since also removes the files of all dataset jobs that were active at this time or later, because their
   * sessions are unknown.
   */
  async datasets({ organisation, user, run, report, damaged }: Erasing, since?: number): Promise<void> {
    const times = await this.sessions.times(organisation, user);
    /** Whether the sessions of a dataset include some of the learner, by the job's input. */
    const included = new Map<string, boolean>();
    const isIncluded = async (input: string): Promise<boolean> => {
      const found =
        included.get(input) ??
        (times.length > 0 && (await this.sessions.has(organisation, user, sessionsOf(JSON.parse(input) as Dataset))));
      included.set(input, found);
      return found;
    };
    for await (const stored of this.jobs.slices(organisation, DATASETS, since)) {
      const slice = readJobs(stored, damaged);
      const withFiles = await this.jobs.withFiles(organisation, idsOf(slice));
      const counted: ErasableJob[] = [];
      for (const job of slice) {
        if (job.status !== 'running' && !withFiles.has(job.id)) continue;
        const { input, completedAt } = job;
        const isCounted =
          since !== undefined ||
          // The session may have had other tags or another activity when the dataset was made.
          (completedAt !== null &&
            times.some(({ startedAt, updatedAt }) => startedAt <= completedAt && updatedAt > completedAt)) ||
          (await isIncluded(input));
        if (isCounted) counted.push(job);
      }
      if (counted.length === 0) continue;
      const changed = await run(() =>
        this.jobs.change(organisation, idsOf(counted), (job) =>
          job.status === 'running' ? {} : job.status === 'completed' ? withoutDataset(job) : undefined,
        ),
      );
      report.jobs.changed += changed.filter(({ files }) => files.length > 0).length;
      report.jobs.putBack += changed.filter(({ isPutBack }) => isPutBack).length;
      report.files.push(...changed.flatMap(({ files }) => files));
    }
  }

  /**
   * Removes the learner's sessions from jobs. Ended jobs lose the text. Waiting and running jobs restart without the
   * sessions, so that no worker stores data that it still has in memory.
   * @param since restricts this to jobs that had not ended by then.
   */
  async erase(erasing: Erasing, since?: number): Promise<void> {
    const { organisation, user, run, report, rescorings, damaged } = erasing;
    const putBack = new Set<string>();
    for await (const stored of this.jobs.slices(organisation, SESSION_JOBS, since)) {
      const slice = readJobs(stored, damaged);
      const named = await this.tracesIn(organisation, user, slice);
      const cleared = erasing.isResumed
        ? await this.rescorings.cleared(organisation, slice.flatMap(rescoringsOf))
        : new Set<string>();
      const ours = slice.filter((job) => rescoringsOf(job).some((each) => cleared.has(each) || rescorings.has(each)));
      const withFiles = await this.jobs.withFiles(organisation, idsOf(ours));
      const ourIds = new Set(idsOf(ours));
      /** Whether the job belongs to a rescoring that included the learner. Its files and results name sessions. */
      const isPartOf = ({ id, status }: ErasableJob) =>
        ourIds.has(id) && (withFiles.has(id) || (status === 'running' && !putBack.has(id)));
      const wanted = slice.filter((job) => isPartOf(job) || isAbout(job, named));
      if (wanted.length === 0) continue;
      const changed = await run(async () => {
        const jobs = await this.jobs.change(organisation, idsOf(wanted), (job) => {
          const other = this.changed(job, named);
          return other ?? (isPartOf(job) ? withoutFiles(job) : undefined);
        });
        // Also clears rows that a rescoring stored after the sessions were erased. From now on it stores none about
        // them.
        const more = await this.rescorings.clear(organisation, [...named.sessions]);
        for (const id of more.rescorings) rescorings.add(id);
        return jobs;
      });
      for (const { id, isPutBack } of changed) if (isPutBack) putBack.add(id);
      report.jobs.changed += changed.length;
      report.jobs.putBack += changed.filter(({ isPutBack }) => isPutBack).length;
      report.files.push(...changed.flatMap(({ files }) => files));
    }
  }

  /** The learner's data in these jobs: sessions, and submissions that were not saved. */
  async tracesIn(organisation: number, user: string, jobs: readonly ReadJob[]): Promise<Traces> {
    const candidates = new Set<string>();
    for (const { values } of jobs) for (const value of values) sessionsIn(value, candidates);
    return { user, sessions: await this.names.own(organisation, user, [...candidates]) };
  }

  /** Undefined when the job contains nothing of the learner. */
  private changed(job: ErasableJob, named: Traces): JobChange | undefined {
    const redaction = redactionOf(named, JSON.parse(job.input) as Json);
    const texts = {
      subject: job.subject,
      input: redaction.ofText(job.input),
      state: redaction.ofText(job.state),
      results: redaction.ofText(job.results),
      message: job.message === null ? null : redaction.ofMessage(job.message),
    };
    const isSame = (['input', 'state', 'results', 'message'] as const).every((name) => texts[name] === job[name]);
    return isSame ? undefined : { texts: noted(job, texts), withoutFiles: true };
  }
}

/** Also removes the sessions that the job would have saved for the learner. */
function redactionOf({ user, sessions }: Traces, input: Json): Redaction {
  const submitted = sessionsSubmittedBy(user, input);
  return new Redaction({ user, sessions: submitted.length > 0 ? new Set([...sessions, ...submitted]) : sessions });
}

/** Whether the job contains anything of the learner. */
function isAbout({ values, message }: ReadJob, named: Traces): boolean {
  const redaction = redactionOf(named, values[0]!);
  return (
    values.some((value) => redaction.of(value) !== value) ||
    (message !== null && redaction.ofMessage(message) !== message)
  );
}

function sessionsOf({ type, id }: Dataset): SessionsWith {
  if (type === 'ibk-analysis-by-question') return { item: id };
  return type === 'sessions-summary-by-group' ? { tag: id } : { activity: id };
}

const idsOf = (jobs: readonly ErasableJob[]) => jobs.map(({ id }) => id);

/** The jobs with the values of their texts; adds the ids of those whose texts are not valid JSON to `damaged`. */
export function readJobs(jobs: readonly ErasableJob[], damaged: Set<string>): ReadJob[] {
  return jobs.flatMap((job) => {
    try {
      const texts = [job.input, job.state, job.results].filter((text) => text !== null);
      return { ...job, values: texts.map((text) => JSON.parse(text) as Json) };
    } catch {
      damaged.add(job.id);
      return [];
    }
  });
}

/** @throws Fault that names the damaged jobs, if there are any. */
export function refuseDamaged(damaged: ReadonlySet<string>, done: string): void {
  if (damaged.size === 0) return;
  const which = `the ${damaged.size === 1 ? 'job' : 'jobs'} ${[...damaged].join(', ')}`;
  const message = `What is stored of ${which} is damaged, and may be about the learner. ${done}; repair or remove it, and run this again.`;
  throw new Fault('conflict', message);
}

/** The rescorings that a job belongs to. A rescoring has the id of the job that planned it. */
function rescoringsOf({ id, type, input }: ErasableJob): string[] {
  if (!RESCORINGS.includes(type)) return [];
  const { rescoring } = JSON.parse(input) as { rescoring?: string };
  return [id, ...(rescoring === undefined ? [] : [rescoring])];
}

const withoutFiles = (job: ErasableJob): JobChange => ({ texts: noted(job, job), withoutFiles: true });

/** The name of a dataset is removed too: it may be a tag that only the learner had. */
function withoutDataset(job: ErasableJob): JobChange {
  const { type } = JSON.parse(job.input) as { type: DatasetType };
  const input = JSON.stringify({ type, id: ERASED });
  const results = JSON.stringify({ ...(JSON.parse(job.results ?? '{}') as object), dataset_id: ERASED });
  return { texts: noted(job, { ...job, subject: ERASED, input, results }), withoutFiles: true };
}

/** Adds a note to results whose files were removed. */
function noted({ status }: ErasableJob, { subject, input, state, results, message }: JobTexts): JobTexts {
  if (status !== 'completed') return { subject, input, state, results, message };
  const members = JSON.parse(results ?? '{}') as Json;
  const text = isObject(members) ? JSON.stringify({ ...members, learner_erased: true }) : results;
  return { subject, input, state, results: text, message };
}
