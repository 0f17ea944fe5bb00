import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Fault } from '#kernel';
import { ENGINE_VERSION, type PartReason, type Reasons } from '#scoring';
import { type Form, type FormQuestion } from '../domain/form';
import { type Mark, type SessionResponse } from '../domain/session';
import { Forms } from './forms';
import { ResponseScoring } from './response-scoring';
import { type SessionRecord } from './ports/session-reader';
import { type ScoreChange, SessionStore } from './ports/session-store';

/** How long the rules of one request may be gone through anew. */
const MAX_MS = 3_000;
/** Characters of JSON that the parts of one response may take. */
const MAX_PARTS_LENGTH = 10_000;
/** Changes that are told of one response: the latest. */
const MAX_CHANGES = 50;

/** Why the rule of a score is not told. */
export type NoRule = 'not-attempted' | 'nobody-scored' | 'person' | 'other-engine' | 'too-long';

export interface Rule extends Omit<Reasons, 'engine' | 'parts'> {
  parts: PartReason[];
  /** Parts that were too long to be told. */
  partsLeftOff: number;
}

export interface ResponseChange extends Pick<ScoreChange, 'changedAt' | 'cause' | 'author' | 'job'> {
  before: number | null;
  after: number | null;
  /** SHA-256 of the documents of the question. */
  definitionBefore: string | null;
  definitionAfter: string | null;
}

/** Why a response has the score that it has. */
export interface ScoreReason {
  mark: Mark;
  rule: Rule | NoRule;
  /** Oldest first. */
  changes: ResponseChange[];
  /** Older ones, which are not told. */
  changesLeftOff: number;
}

/** Explains scores, from recorded changes and by evaluating the rules again. */
@Injectable()
export class ScoreReasons {
  constructor(
    private readonly forms: Forms,
    private readonly marking: ResponseScoring,
    private readonly store: SessionStore,
  ) {}

  /**
   * For each session, by our id, the reasons of its responses in their order.
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
        responses.map(({ mark }, at) => ({ mark, rule: rules[at]!, ...changesAt(at, its, forms) })),
      );
      await turn();
    }
    return reasons;
  }

  private async rules(
    responses: readonly SessionResponse[],
    form: Form | undefined,
    until: number,
  ): Promise<(Rule | NoRule)[]> {
    const questions = form ? questionsOf(form) : [];
    const prepared = await this.marking.prepare(
      questions.filter((_, at) => responses[at] && !notTold(responses[at]) && responses[at].response),
    );
    const rules: (Rule | NoRule)[] = [];
    for (const [at, given] of responses.entries()) {
      const question = questions[at];
      const ready = question && prepared.get(question.document);
      const none = notTold(given) ?? (question?.hash === given.mark.definition ? undefined : 'other-engine');
      if (none !== undefined) rules.push(none);
      else if (!given.response) rules.push('not-attempted');
      else if (!ready) rules.push('nobody-scored');
      else if (performance.now() > until) rules.push('too-long');
      else
        try {
          rules.push(ruleOf((await this.marking.score(ready, given.response, form!)).reasons));
        } catch (error) {
          // Too many wait for a thread.
          if (!(error instanceof Fault)) throw error;
          rules.push('too-long');
        }
    }
    return rules;
  }
}

function questionsOf({ items }: Form): FormQuestion[] {
  return items.flatMap(({ questions }) => questions);
}

function notTold({ mark: { by, engine } }: SessionResponse): NoRule | undefined {
  if (by === 'person') return 'person';
  if (engine === null) return 'nobody-scored';
  return engine === ENGINE_VERSION ? undefined : 'other-engine';
}

function ruleOf({ outcome, message, scoringType, answer, parts, steps }: Reasons): Rule {
  const told: PartReason[] = [];
  let left = MAX_PARTS_LENGTH;
  for (const part of parts) {
    left -= JSON.stringify(part).length;
    if (left < 0) break;
    told.push(part);
  }
  return { outcome, message, scoringType, answer, parts: told, partsLeftOff: parts.length - told.length, steps };
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
  const told = all.slice(-MAX_CHANGES);
  return { changes: told, changesLeftOff: all.length - told.length };
}
