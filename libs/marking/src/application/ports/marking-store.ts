import { type Position, type Slice } from '#kernel';
import { type MarkingRound, type RoundMark, type RoundStatus, type Stage } from '../../domain/marking-round';

/** An answer of a round, with its marks. */
export interface RoundAnswer {
  id: string;
  sessionId: string;
  responseId: string;
  stage: Stage;
  /** The score that the marks give. */
  score: number | null;
  claim: { marker: string; until: number } | null;
  /** The job that last wrote its score. */
  job: string | null;
  marks: RoundMark[];
}

/** The number of answers of a round at each stage. */
export type RoundProgress = Record<Stage, number>;

/** A mark of a learner's answer, for exports. */
export interface LearnerMark extends RoundMark {
  sessionId: string;
  responseId: string;
  round: string;
}

/** Erases and exports the data of learners in marking rounds. */
export abstract class MarkingErasure {
  /** Removes the answers of these sessions with their marks; returns the number of marks. */
  abstract forget(organisation: number, sessionIds: readonly string[]): Promise<number>;

  /** The marks of these sessions. */
  abstract ofSessions(organisation: number, sessionIds: readonly string[]): Promise<LearnerMark[]>;
}

/** Marking rounds with their answers and marks. */
export abstract class MarkingStore extends MarkingErasure {
  abstract add(organisation: number, round: MarkingRound): Promise<void>;

  /** Newest first. */
  abstract rounds(
    organisation: number,
    query: { references?: readonly string[]; limit: number; after?: Position },
  ): Promise<Slice<MarkingRound>>;

  /** The round, with a shared lock: nobody changes it until the unit of work ends. */
  abstract shared(organisation: number, round: string): Promise<MarkingRound | undefined>;

  /** Changes the status if it is one of `from`; returns whether it did. */
  abstract move(
    organisation: number,
    round: string,
    from: readonly RoundStatus[],
    to: RoundStatus,
    now: number,
  ): Promise<boolean>;

  /** Adds answers that wait for their first mark. Answers of the round stay as they are. */
  abstract addAnswers(
    organisation: number,
    round: string,
    answers: readonly Pick<RoundAnswer, 'id' | 'sessionId' | 'responseId'>[],
  ): Promise<void>;

  /** The progress of rounds, in one statement. */
  abstract progress(organisation: number, rounds: readonly string[]): Promise<Map<string, RoundProgress>>;

  /** How many answers of the round have a mark of this person. */
  abstract markedBy(organisation: number, round: string, marker: string): Promise<number>;

  abstract answer(organisation: number, round: string, id: string): Promise<RoundAnswer | undefined>;

  /** Like `answer`, locked until the unit of work ends. */
  abstract lock(organisation: number, round: string, id: string): Promise<RoundAnswer | undefined>;

  /** The answer that the person has in hand; undefined for none. */
  abstract claimed(organisation: number, round: string, marker: string, now: number): Promise<string | undefined>;

  /**
   * At most `limit` answers in this stage, in their order, that nobody has in hand and that the person has not marked.
   * @param after the id before the first.
   */
  abstract waiting(
    organisation: number,
    round: string,
    of: { stage: Stage; marker: string; now: number; after?: string },
    limit: number,
  ): Promise<string[]>;

  /**
   * Reserves the answer for the person until a time, unless another has it or its stage has changed. Returns whether the person
   * has it.
   */
  abstract claim(
    organisation: number,
    round: string,
    id: string,
    by: { marker: string; until: number; now: number; stages: readonly Stage[] },
  ): Promise<boolean>;

  /** Releases the answer that the person has in hand. */
  abstract release(organisation: number, round: string, marker: string): Promise<void>;

  /** Stores an answer that `lock` returned, with its marks. */
  abstract save(organisation: number, round: string, answer: RoundAnswer): Promise<void>;

  /** The answers of a round in these stages, with their marks, in their order. */
  abstract answers(
    organisation: number,
    round: string,
    query: { stages?: readonly Stage[]; limit: number; after?: Position },
  ): Promise<Slice<RoundAnswer>>;

  /** How many answers to each question are in rounds, and how many are settled in one. Each answer counts once. */
  abstract byQuestion(organisation: number): Promise<Map<string, { answers: number; settled: number }>>;
}
