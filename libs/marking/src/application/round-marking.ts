import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { type Author, Clock, Fault, MANUAL_USER, type Scope, UnitOfWork } from '#kernel';
import {
  ManualScores,
  type Session,
  type SessionQuestion,
  SessionQuestions,
  type SessionResponse,
  SessionStore,
} from '#sessions';
import {
  checkPoints,
  type MarkingRound,
  marksOf,
  mayMark,
  responseHash,
  type RoundMark,
  type SentMark,
  type Stage,
  outcomeOf,
  withMark,
} from '../domain/marking-round';
import { MarkingStore, type RoundAnswer, type RoundProgress } from './ports/marking-store';
import { collecting, found } from './marking-rounds';

/** How long a person has an answer in hand. Afterwards, others can get it. */
const CLAIM_MS = 15 * 60_000;
/** The order in which waiting answers are given out. */
const ORDER: readonly Stage[] = ['third', 'first', 'second'];
/**
 * The number of waiting answers that one statement reads. It reads several, because other people may take the first ones
 * meanwhile.
 */
const CANDIDATE_BATCH_SIZE = 20;

/** The answer that a person has in hand, and the progress of the round. */
export interface Taken {
  /** Null when nothing waits for the person. */
  answer: { id: string; until: number } | null;
  progress: RoundProgress;
  /** Answers that the person has marked. */
  marked: number;
}

/** An answer as its marker sees it. */
export interface AnswerToMark {
  id: string;
  stage: Stage;
  session: Session;
  response: SessionResponse;
  question: SessionQuestion;
  /** Those of the present response. */
  marks: (RoundMark & { author: Author | undefined })[];
  round: MarkingRound;
}

/** Gives answers of a round to markers, and takes their marks. */
@Injectable()
export class RoundMarking {
  constructor(
    private readonly store: MarkingStore,
    private readonly sessions: SessionStore,
    private readonly questions: SessionQuestions,
    private readonly scores: ManualScores,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives the person an answer to mark: the one in hand, or else the next one that nobody has in hand. No two people have the
   * same answer in hand.
   * @param wish.answer gives this answer, so that the person can change the mark.
   * @param wish.after gives the answer after this one, and releases the one in hand.
   * @throws Fault 30001 for an unknown round or answer, 20011 when the round is not open or the person cannot have the answer.
   */
  async take(roundId: string, wish: { answer?: string; after?: string }, scope: Scope): Promise<Taken> {
    const { organisation } = scope.shelf;
    const marker = markerOf(scope);
    return this.work.run(async () => {
      const round = open(found(await this.store.shared(organisation, roundId), '/round'));
      const until = this.clock.now() + CLAIM_MS;
      const id =
        wish.answer === undefined
          ? await this.next(organisation, round, marker, wish.after, until)
          : await this.again(organisation, round, marker, wish.answer, until);
      const progress = (await this.store.progress(organisation, [round.id])).get(round.id)!;
      const marked = await this.store.markedBy(organisation, round.id, marker);
      return { answer: id === undefined ? null : { id, until }, progress, marked };
    });
  }

  private async next(
    organisation: number,
    { id: round }: MarkingRound,
    marker: string,
    after: string | undefined,
    until: number,
  ): Promise<string | undefined> {
    const now = this.clock.now();
    const held = after === undefined ? await this.store.claimed(organisation, round, marker, now) : undefined;
    if (
      held !== undefined &&
      (await this.store.claim(organisation, round, held, { marker, until, now, stages: STAGES_IN_HAND }))
    )
      return held;
    await this.store.release(organisation, round, marker);
    const taken = async (from: string | undefined): Promise<string | undefined> => {
      for (const stage of ORDER) {
        const of = { stage, marker, now, after: from };
        for (const id of await this.store.waiting(organisation, round, of, CANDIDATE_BATCH_SIZE))
          if (await this.store.claim(organisation, round, id, { marker, until, now, stages: [stage] })) return id;
      }
      return undefined;
    };
    return (await taken(after)) ?? (after === undefined ? undefined : taken(undefined));
  }

  private async again(
    organisation: number,
    round: MarkingRound,
    marker: string,
    id: string,
    until: number,
  ): Promise<string> {
    const answer = known(await this.store.lock(organisation, round.id, id));
    const now = this.clock.now();
    refuseHeld(answer, marker, now);
    const { marks } = await this.responseOf(organisation, answer);
    if (!mayMark(round, marks, marker))
      throw new Fault('conflict', 'You cannot mark this answer, because others have marked it meanwhile.', '/answer');
    await this.store.release(organisation, round.id, marker);
    await this.store.claim(organisation, round.id, id, { marker, until, now, stages: STAGES_IN_HAND });
    return id;
  }

  /**
   * An answer with its question.
   * @throws Fault 30001 for an unknown round or answer.
   */
  async answer(roundId: string, id: string, scope: Scope): Promise<AnswerToMark> {
    const { organisation } = scope.shelf;
    const round = found(
      (await this.store.rounds(organisation, { references: [roundId], limit: 1 })).entries[0],
      '/round',
    );
    const { session, at, response, marks } = await this.responseOf(
      organisation,
      known(await this.store.answer(organisation, roundId, id)),
    );
    const questions = await this.questions.of(organisation, [{ ...session, texts: {} }], scope.readable);
    const authors = await this.authors.find(
      organisation,
      marks.map(({ marker }) => marker),
    );
    return {
      id,
      stage: outcomeOf(round, marks).stage,
      session,
      response,
      question: known(questions.get(session.id)?.[at]),
      marks: marks.map((mark) => ({ ...mark, author: authors.get(mark.marker) })),
      round,
    };
  }

  /** The response, and the marks that were given for it. */
  private async responseOf(organisation: number, { sessionId, responseId, marks }: RoundAnswer) {
    const session = known((await this.sessions.read(organisation, [sessionId])).get(sessionId));
    const at = session.responses.findIndex((response) => response.responseId === responseId);
    const response = known(session.responses[at]);
    return { session, at, response, marks: marksOf(marks, responseHash(response.response)) };
  }

  /**
   * Stores a mark. Once the marks of the answer are settled, a job writes the score of the response as a manual score. If they are
   * no longer settled, a job withdraws the score. The same mark again changes nothing. Removes marks that were given before the
   * learner changed the answer.
   * @param mark.seen {@link responseHash} of the answer that the person has read. A mark of another answer is refused.
   * @returns the job; null when no score changes.
   * @throws Fault 30001 for an unknown round or answer; 20004 for points that the answer cannot have; 20011 while another person
   *   has it in hand, or when this person may not mark it ({@link withMark}).
   */
  async mark(
    roundId: string,
    id: string,
    { score, comment, seen }: Pick<SentMark, 'score' | 'comment'> & { seen?: string },
    scope: Scope,
  ): Promise<{ stage: Stage; score: number | null; job: string | null }> {
    const { organisation } = scope.shelf;
    const marker = markerOf(scope);
    const { response } = await this.answer(roundId, id, scope);
    checkPoints(score, response.maxScore);
    const present = responseHash(response.response);
    if (seen !== undefined && seen !== present)
      throw new Fault('conflict', 'The learner has changed this answer since you read it.', '/if_response_hash');
    return this.work.run(async () => {
      const round = open(found(await this.store.shared(organisation, roundId), '/round'));
      const before = known(await this.store.lock(organisation, roundId, id));
      const now = this.clock.now();
      const marks = withMark(round, before.marks, { marker, score, comment, now, responseHash: present });
      if (marks === before.marks) return { stage: before.stage, score: before.score, job: null };
      refuseHeld(before, marker, now);
      await this.authors.ensure(scope);
      const after = outcomeOf(round, marks);
      const job = after.score === before.score ? null : await this.write(before, after.score, response, roundId, scope);
      // A person who withdraws a mark keeps the answer in hand.
      const claim = score === null ? { marker, until: now + CLAIM_MS } : null;
      await this.store.save(organisation, roundId, {
        ...before,
        ...after,
        marks: [...marks],
        claim,
        job: job ?? before.job,
      });
      return { ...after, job };
    });
  }

  private write(
    { sessionId, responseId, id: answer }: RoundAnswer,
    score: number | null,
    { maxScore }: SessionResponse,
    round: string,
    scope: Scope,
  ): Promise<string> {
    const given =
      score === null
        ? { responseId, score }
        : {
            responseId,
            score,
            manualScore: score,
            maxManualScore: maxScore,
            ...(score === 0 ? {} : { attempted: true }),
          };
    return this.scores.startSettled({ sessionId, score: given, round, answer }, scope);
  }
}

const STAGES_IN_HAND: readonly Stage[] = [...ORDER, 'settled'];

/** A call without an author marks as the manual user. */
export const markerOf = ({ author }: Pick<Scope, 'author'>): string => author?.id ?? MANUAL_USER;

function open(round: MarkingRound): MarkingRound {
  if (round.status === 'collecting') throw collecting(round, '/round');
  if (round.status === 'closed') throw new Fault('conflict', 'The round is closed.', '/round');
  return round;
}

function refuseHeld({ claim }: RoundAnswer, marker: string, now: number): void {
  if (claim && claim.marker !== marker && claim.until > now)
    throw new Fault('conflict', 'Another person has this answer in hand.', '/answer');
}

function known<T>(answer: T | undefined): T {
  if (!answer)
    throw new Fault('reference-unknown', 'The round has no such answer; its session may have been erased.', '/answer');
  return answer;
}
