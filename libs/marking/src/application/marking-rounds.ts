import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { PinnedContent, Widgets } from '#content';
import { Jobs } from '#jobs';
import { type Author, Fault, place, type Position, type Scope, type Slice, UnitOfWork } from '#kernel';
import { type FormItem, Forms, itemKey, PresentNames, type SessionFilter, SessionReader } from '#sessions';
import {
  type MarkingRound,
  ROUND_STATUSES,
  type RoundMark,
  type RoundStatus,
  type Stage,
} from '../domain/marking-round';
import { MarkingStore, type RoundAnswer, type RoundProgress } from './ports/marking-store';
import { COLLECT_ANSWERS, type CollectionTask } from './round-collection';

/** A round to create. */
interface WantedRound extends Pick<MarkingRound, 'name' | 'question' | 'markers' | 'isBlind' | 'allowedDifference'> {
  filter: SessionFilter;
  /** Whether the round includes answers that have a score. */
  withScored: boolean;
}

/** A question whose answers people mark. */
export interface MarkedQuestion {
  reference: string;
  type: string;
  /** Present references. */
  items: string[];
  /** The number of completed sessions with the question. */
  sessions: number;
  /** The number of answers in rounds, and how many of them have a settled score. */
  inRounds: number;
  settled: number;
}

/** An answer of a round, with the names of its markers. */
export interface ShownAnswer extends Omit<RoundAnswer, 'marks'> {
  marks: (RoundMark & { author: Author | undefined })[];
}

/** The maximum number of forms that are read, beginning with those of the latest sessions. */
const MAX_FORMS = 2_000;
const FORMS_BATCH_SIZE = 200;

/** Creates, opens and closes marking rounds, and shows their progress (decision 73). */
@Injectable()
export class MarkingRounds {
  constructor(
    private readonly store: MarkingStore,
    private readonly forms: Forms,
    private readonly sessions: SessionReader,
    private readonly widgets: Widgets,
    private readonly content: PinnedContent,
    private readonly jobs: Jobs,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates a round, and starts the job that collects its answers. Returns its reference, which is also that of the job.
   * @throws Fault 30001 for an unknown question.
   */
  async create({ filter, withScored, ...round }: WantedRound, scope: Scope): Promise<string> {
    await this.checkQuestion(scope.shelf.organisation, round.question);
    const input: CollectionTask = { question: round.question, filter, withScored };
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const about = { subject: round.question, input: JSON.stringify(input) };
      const id = await this.jobs.start({ type: COLLECT_ANSWERS, lane: 'bulk', ...about }, scope);
      const author = scope.author?.id ?? null;
      const added = { ...round, id, status: 'collecting' as const, author, job: id, changedAt: scope.now };
      await this.store.add(scope.shelf.organisation, added);
      return id;
    });
  }

  /**
   * Opens or closes a round. Nobody marks in a closed round; its scores stay. Closing a round that still collects
   * answers stops the collection, and keeps the answers so far.
   * @throws Fault 30001 for an unknown round, 20011 when a round is to be opened while its answers are collected.
   */
  async move(id: string, status: Exclude<RoundStatus, 'collecting'>, scope: Scope): Promise<void> {
    const { organisation } = scope.shelf;
    await this.work.run(async () => {
      const from = status === 'closed' ? ROUND_STATUSES : (['open', 'closed'] as const);
      if (await this.store.move(organisation, id, from, status, scope.now)) return;
      const round = found(await this.store.shared(organisation, id), '/reference');
      if (round.status === 'collecting') throw collecting(round, '/reference');
    });
  }

  /** Newest first. */
  async find(
    organisation: number,
    query: { references?: readonly string[]; limit: number; after?: Position },
  ): Promise<Slice<MarkingRound & { progress: RoundProgress }>> {
    const { entries, after } = await this.store.rounds(organisation, query);
    const progress = await this.store.progress(
      organisation,
      entries.map(({ id }) => id),
    );
    return { entries: entries.map((round) => ({ ...round, progress: progress.get(round.id)! })), after };
  }

  /**
   * The answers of a round with all their marks.
   * @throws Fault 30001 for an unknown round.
   */
  async marks(
    organisation: number,
    round: string,
    query: { stages?: readonly Stage[]; limit: number; after?: Position },
  ): Promise<Slice<ShownAnswer>> {
    found((await this.store.rounds(organisation, { references: [round], limit: 1 })).entries[0], '/round');
    const { entries, after } = await this.store.answers(organisation, round, query);
    const markers = entries.flatMap(({ marks }) => marks.map(({ marker }) => marker));
    const authors = await this.authors.find(organisation, markers);
    return {
      entries: entries.map((answer) => ({
        ...answer,
        marks: answer.marks.map((mark) => ({ ...mark, author: authors.get(mark.marker) })),
      })),
      after,
    };
  }

  /** The questions of completed sessions that no rule scores. Those in most sessions come first. */
  async questions(organisation: number): Promise<MarkedQuestion[]> {
    const inRounds = await this.store.byQuestion(organisation);
    const questions = new Map<string, MarkedQuestion>();
    /** The items of each question, by name and document. */
    const shownIn = new Map<string, Map<string, FormItem>>();
    for await (const { items, sessions } of this.usedForms(organisation)) {
      const counted = new Set<string>();
      for (const item of items)
        for (const { reference, type, automarkable } of item.questions) {
          if (automarkable) continue;
          const { answers = 0, settled = 0 } = inRounds.get(reference) ?? {};
          const known = questions.get(reference);
          const question = known ?? { reference, type, items: [], sessions: 0, inRounds: answers, settled };
          questions.set(reference, question);
          const shown = shownIn.get(reference) ?? new Map<string, FormItem>();
          shownIn.set(reference, shown.set(`${itemKey(item)} ${item.document}`, item));
          // A form may show a question in several items.
          if (!counted.has(reference)) question.sessions += sessions;
          counted.add(reference);
        }
    }
    const names = new PresentNames(this.content);
    await names.learn([...shownIn.values()].flatMap((items) => [...items.values()]));
    for (const [reference, question] of questions)
      question.items = [...new Set([...shownIn.get(reference)!.values()].map((item) => names.of(item)))];
    return [...questions.values()].sort((a, b) => b.sessions - a.sessions || (a.reference < b.reference ? -1 : 1));
  }

  /** Sessions may also have questions of other banks. So this searches their forms for a question that the bank lacks. */
  private async checkQuestion(organisation: number, reference: string): Promise<void> {
    const sort = { field: 'created', ascending: true } as const;
    const query = { kind: 'question', references: [reference], sort, limit: 1 } as const;
    if ((await this.widgets.find({ organisation }, query)).entries.length > 0) return;
    for await (const { items } of this.usedForms(organisation))
      if (items.some(({ questions }) => questions.some((question) => question.reference === reference))) return;
    throw new Fault(
      'reference-unknown',
      `There is no question ${JSON.stringify(reference)} in the item bank or in its sessions; get sessions/marking/questions lists the questions that people can mark.`,
      '/question',
    );
  }

  /** The forms of the latest sessions, with the number of completed sessions of each. */
  private async *usedForms(organisation: number): AsyncGenerator<{ items: readonly FormItem[]; sessions: number }> {
    const sessions = await this.sessions.completedByForm(organisation, MAX_FORMS);
    const ids = [...sessions.keys()];
    for (let from = 0; from < ids.length; from += FORMS_BATCH_SIZE)
      for (const [id, { items }] of await this.forms.of(organisation, ids.slice(from, from + FORMS_BATCH_SIZE)))
        yield { items, sessions: sessions.get(id)! };
  }
}

export function collecting({ job }: MarkingRound, at: string): Fault {
  return new Fault(
    'conflict',
    `The job ${job} has not collected all answers of the round. Wait for the job, retry it if it has halted, or close the round.`,
    at,
  );
}

/** @throws Fault 30001 */
export function found<T>(round: T | undefined, at: string): T {
  if (!round)
    throw new Fault(
      'reference-unknown',
      `${place(at)}: there is no such marking round; get sessions/marking/rounds lists them all.`,
      at,
    );
  return round;
}
