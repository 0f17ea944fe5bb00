import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PinnedContent } from '#content';
import { Fault, grouped, type JsonObject } from '#kernel';
import { Threads } from '#platform';
import { compile, ENGINE_VERSION, type ResponseScore, type ScoreOptions, type Scorer, scoreStopped } from '#scoring';
import { definitionOf, type Form, type FormQuestion } from '../domain/form';
import { type Session, type SessionResponse } from '../domain/session';
import { judged, type Verdict } from '../domain/verdict';
import { isQuick, scoreInTime } from './score-in-time';

/** The maximum number of cached questions, and of their characters. A question may have megabytes. */
const MAX_CACHED = 2_000;
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;
/** The service checks the cost of longer responses before it scores them directly. */
const SHORT = 2_000;

/** A question that is ready for scoring, from its pinned document. */
export interface Prepared {
  definition: JsonObject & { type: string };
  scorer: Scorer;
  /** Whether short responses can be scored directly. */
  quick: boolean;
}

interface MarkOptions {
  now: number;
  /** The job, for the record of the change. */
  job?: string;
  /** Also replaces scores that a person gave. */
  overwriteManual?: boolean;
  /** Leaves slow questions unscored for a later job: see `waits`. */
  quickly?: true;
}

/** Scores sessions with the engine, by the documents of their form. */
@Injectable()
export class ResponseScoring {
  private readonly prepared = new LRUCache<string, Prepared>({ max: MAX_CACHED, maxSize: MAX_CACHED_CHARACTERS });

  constructor(
    private readonly content: PinnedContent,
    private readonly threads: Threads,
  ) {}

  /**
   * Scores the responses at these places and computes everything that depends on them again. Scores that a person gave
   * stay, unless `overwriteManual` is set.
   * @param form the form of the session.
   */
  async marked(
    session: Session,
    form: Form,
    places: readonly number[] | 'all',
    options: MarkOptions,
  ): Promise<Session> {
    const wanted = places === 'all' ? session.responses.map((_, at) => at) : places;
    return judged(session, form, await this.verdicts(session, form, wanted, options), options);
  }

  /**
   * The verdicts on the responses at these places. A response that a person scored has no verdict, unless
   * `overwriteManual` is set.
   */
  async verdicts(
    session: Session,
    form: Form,
    places: readonly number[],
    { overwriteManual, quickly }: Pick<MarkOptions, 'overwriteManual' | 'quickly'>,
  ): Promise<Verdict[]> {
    const questions = form.items.flatMap((item) => item.questions);
    const wanted = places.filter((at) => session.responses[at]!.mark.by !== 'person' || overwriteManual);
    const answered = wanted.filter((at) => session.responses[at]!.response !== null).map((at) => questions[at]!);
    const prepared = await this.prepare(answered);
    const verdicts: Verdict[] = [];
    for (const at of wanted) {
      const question = questions[at]!;
      const { response } = session.responses[at]!;
      const ready = prepared.get(question.document)!;
      if (quickly && response && !canScoreAtOnce(ready, response)) {
        verdicts.push(waiting(at, question, ready, response));
        continue;
      }
      const result = response && (await this.score(ready, response, form));
      verdicts.push(result ? verdictOf(at, result) : unanswered(at, question));
    }
    return verdicts;
  }

  /** The engine's evaluation of a response, with its reasons. */
  async score(ready: Prepared, response: JsonObject, { settings }: Pick<Form, 'settings'>): Promise<ResponseScore> {
    const { definition, scorer } = ready;
    const options: ScoreOptions = settings;
    if (canScoreAtOnce(ready, response)) return scorer.score(response, options);
    try {
      return await scoreInTime(this.threads, definition, response, '', options);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'too-large') throw error;
      return scoreStopped({ type: definition.type }, null, 'too-large');
    }
  }

  /** Prepares questions for scoring, by the ids of their documents. */
  async prepare(questions: readonly FormQuestion[]): Promise<Map<string, Prepared>> {
    const ready = new Map<string, Prepared>();
    const missing: FormQuestion[] = [];
    for (const question of questions) {
      const known = this.prepared.get(question.document);
      if (known) ready.set(question.document, known);
      else missing.push(question);
    }
    for (const [organisation, ids] of documentsOf(missing))
      for (const [id, { body }] of await this.content.documents(organisation, ids)) {
        const definition = definitionOf(body);
        const entry = { definition, scorer: compile(definition), quick: isQuick(definition, null) };
        this.prepared.set(id, entry, { size: body.length });
        ready.set(id, entry);
      }
    return ready;
  }
}

/** The documents of questions by the organisation that owns them. */
export const documentsOf = (questions: readonly FormQuestion[]): Map<number, string[]> =>
  grouped(questions.map(({ organisation, document }) => [organisation, document]));

function verdictOf(at: number, { score, maxScore, attempted, automarkable, reasons }: ResponseScore): Verdict {
  const { engine, outcome } = reasons;
  return { at, score, maxScore, attempted, automarkable, by: score === null ? null : 'engine', engine, outcome };
}

function canScoreAtOnce({ definition, quick }: Prepared, response: JsonObject): boolean {
  return quick && (lengthOf(response) <= SHORT || isQuick(definition, response));
}

/** Whether the engine has not scored the answer yet. */
export function waits({ response, attempted, automarkable, mark }: SessionResponse): boolean {
  return response !== null && attempted && automarkable && mark.by === null && mark.engine === null;
}

function waiting(
  at: number,
  { maxScore, automarkable }: FormQuestion,
  { definition }: Prepared,
  response: JsonObject,
): Verdict {
  const { attempted } = scoreStopped(definition, response, 'too-slow');
  return { at, score: null, maxScore, attempted, automarkable, by: null, engine: null, outcome: null };
}

function unanswered(at: number, { maxScore, automarkable }: FormQuestion): Verdict {
  return {
    at,
    score: null,
    maxScore,
    attempted: false,
    automarkable,
    by: null,
    engine: ENGINE_VERSION,
    outcome: 'not-attempted',
  };
}

/** The approximate number of characters in an answer. It stops counting above the limit of interest. */
function lengthOf({ value }: JsonObject): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return value !== null && typeof value === 'object' ? Infinity : 0;
  let length = value.length;
  for (const entry of value)
    length += typeof entry === 'string' ? entry.length : typeof entry === 'object' && entry !== null ? Infinity : 1;
  return length;
}
