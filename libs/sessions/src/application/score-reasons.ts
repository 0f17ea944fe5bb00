import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Fault } from '#kernel';
import { ENGINE_VERSION, type PartReason, type Reasons, reviewParts } from '#scoring';
import { type Form, type FormQuestion } from '../domain/form';
import { type Mark, type SessionResponse } from '../domain/session';
import { Forms } from './forms';
import { ResponseScoring } from './response-scoring';
import { type SessionRecord } from './ports/session-reader';
import { type ScoreChange, SessionStore } from './ports/session-store';

/** The maximum time for evaluating the rules of one request again. */
const MAX_MS = 3_000;
/** The maximum characters of JSON for the parts of one response. */
const MAX_PARTS_LENGTH = 10_000;
/** The maximum number of changes per response; the latest are shown. */
const MAX_CHANGES = 50;

/** Why the explanation contains no rule. */
export type NoRule = 'not-attempted' | 'nobody-scored' | 'person' | 'other-engine' | 'too-long';

export interface Rule extends Omit<Reasons, 'engine' | 'parts'> {
  parts: PartReason[];
  /** Number of parts that were omitted because of their length. */
  partsLeftOff: number;
}

export interface ResponseChange extends Pick<ScoreChange, 'changedAt' | 'cause' | 'author' | 'job'> {
  before: number | null;
  after: number | null;
  /** SHA-256 of the documents of the question. */
  definitionBefore: string | null;
  definitionAfter: string | null;
}

/** The explanation of a response's score. */
export interface ScoreReason {
  mark: Mark;
  rule: Rule | NoRule;
  /** The verdicts that a review shows, also if a person gave the score; null without verdicts. */
  reviewParts: (boolean | null)[] | null;
  /** Oldest first. */
  changes: ResponseChange[];
  /** Number of older changes that are omitted. */
  changesLeftOff: number;
}

type Evaluated = Pick<ScoreReason, 'rule' | 'reviewParts'>;

/** Explains scores, from recorded changes and by evaluating the rules again. */
@Injectable()
export class ScoreReasons {
  constructor(
    private readonly forms: Forms,
    private readonly marking: ResponseScoring,
    private readonly store: SessionStore,
  ) {}

  /**
   * The explanations for the responses of each session, in their order, by the session's internal id.
   * @param sessions with their responses.
   */
  async of(organisation: number, sessions: readonly SessionRecord[]): Promise<Map<string, ScoreReason[]>> {
    const changes = await this.store.changesOf(
      organisation,
      sessions.map(({ id }) => id),
    );
    const forms = await this.forms.of(organisation, [
      ...sessions.map(({ formId }) => formId),
      ...[...changes.values()]
        .flat()
        .flatMap(({ formBefore, formAfter }) => [formBefore ?? [], formAfter ?? []].flat()),
    ]);
    const until = performance.now() + MAX_MS;
    const reasons = new Map<string, ScoreReason[]>();
    for (const { id, formId, responses = [] } of sessions) {
      const rules = await this.rules(responses, forms.get(formId), until);
      const its = changes.get(id) ?? [];
      reasons.set(
        id,
        responses.map(({ mark }, at) => ({ mark, ...rules[at]!, ...changesAt(at, its, forms) })),
      );
      await turn();
    }
    return reasons;
  }

  private async rules(
    responses: readonly SessionResponse[],
    form: Form | undefined,
    until: number,
  ): Promise<Evaluated[]> {
    const questions = form ? questionsOf(form) : [];
    const prepared = await this.marking.prepare(questions.filter((_, at) => responses[at]?.response));
    const rules: Evaluated[] = [];
    for (const [at, given] of responses.entries()) {
      const question = questions[at];
      const ready = question && prepared.get(question.document);
      const none = noRuleFor(given) ?? (question?.hash === given.mark.definition ? undefined : 'other-engine');
      const without = (rule: NoRule) => rules.push({ rule: none ?? rule, reviewParts: null });
      if (!given.response) without('not-attempted');
      else if (!ready || none === 'nobody-scored') without('nobody-scored');
      else if (performance.now() > until) without('too-long');
      else
        try {
          const judged = await this.marking.score(ready, given.response, form!);
          const shown = reviewParts(given.response['value'] ?? null, judged) ?? null;
          rules.push({ rule: none ?? ruleOf(judged.reasons), reviewParts: shown });
        } catch (error) {
          // Too many questions wait for a thread.
          if (!(error instanceof Fault)) throw error;
          without('too-long');
        }
    }
    return rules;
  }
}

function questionsOf({ items }: Form): FormQuestion[] {
  return items.flatMap(({ questions }) => questions);
}

function noRuleFor({ mark: { by, engine } }: SessionResponse): NoRule | undefined {
  if (by === 'person') return 'person';
  if (engine === null) return 'nobody-scored';
  return engine === ENGINE_VERSION ? undefined : 'other-engine';
}

function ruleOf({ outcome, message, scoringType, answer, parts, steps }: Reasons): Rule {
  const shown: PartReason[] = [];
  let left = MAX_PARTS_LENGTH;
  for (const part of parts) {
    left -= JSON.stringify(part).length;
    if (left < 0) break;
    shown.push(part);
  }
  return { outcome, message, scoringType, answer, parts: shown, partsLeftOff: parts.length - shown.length, steps };
}

function changesAt(
  at: number,
  changes: readonly ScoreChange[],
  forms: ReadonlyMap<string, Form>,
): Pick<ScoreReason, 'changes' | 'changesLeftOff'> {
  const definitionIn = (form: string | null): string | null => {
    const found = form === null ? undefined : forms.get(form);
    return (found && questionsOf(found)[at]?.hash) ?? null;
  };
  const all = changes.flatMap((change): ResponseChange[] => {
    const its = change.changes.find((each) => each.at === at);
    if (!its) return [];
    const { changedAt, cause, author, job } = change;
    const { before, after } = its;
    return [
      {
        changedAt,
        cause,
        author,
        job,
        before,
        after,
        definitionBefore: definitionIn(change.formBefore),
        definitionAfter: definitionIn(change.formAfter),
      },
    ];
  });
  const shown = all.slice(-MAX_CHANGES);
  return { changes: shown, changesLeftOff: all.length - shown.length };
}
