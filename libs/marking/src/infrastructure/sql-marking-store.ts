import { Injectable } from '@nestjs/common';
import { grouped, inParts, isId, type Position, type Slice } from '#kernel';
import { Conditions, Database, type Parameter, questionMarks } from '#platform';
import {
  type LearnerMark,
  MarkingStore,
  type RoundAnswer,
  type RoundProgress,
} from '../application/ports/marking-store';
import { type MarkingRound, type RoundMark, type RoundStatus, type Stage, STAGES } from '../domain/marking-round';
import { ANSWER, answerOf, type AnswerRow, MARK, ROUND, roundOf, type RoundRow } from './marking-rows';

const BATCH_SIZE = 500;

@Injectable()
export class SqlMarkingStore extends MarkingStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(organisation: number, round: MarkingRound): Promise<void> {
    await this.database.insert(
      'marking_round',
      [
        'organisation_id',
        'id',
        'name',
        'question',
        'markers',
        'is_blind',
        'allowed_difference',
        'status',
        'author_id',
        'job_id',
        'changed_at',
      ],
      [
        [
          organisation,
          round.id,
          round.name,
          round.question,
          round.markers,
          Number(round.isBlind),
          round.allowedDifference,
          round.status,
          round.author,
          round.job,
          round.changedAt,
        ],
      ],
    );
  }

  override async rounds(
    organisation: number,
    { references, limit, after }: { references?: readonly string[]; limit: number; after?: Position },
  ): Promise<Slice<MarkingRound>> {
    const conditions = new Conditions();
    conditions.add('r.organisation_id = ?', organisation);
    if (references) conditions.in('r.id', references.filter(isId));
    if (after) conditions.add('r.id < ?', after[0]!);
    const rows = await this.database.rows<RoundRow>(
      `SELECT ${ROUND} FROM marking_round r WHERE ${conditions.text} ORDER BY r.id DESC LIMIT ${limit + 1}`,
      conditions.parameters,
    );
    const entries = rows.slice(0, limit).map(roundOf);
    return { entries, after: rows.length > limit ? [entries.at(-1)!.id] : undefined };
  }

  override async shared(organisation: number, round: string): Promise<MarkingRound | undefined> {
    if (!isId(round)) return undefined;
    const row = await this.database.row<RoundRow>(
      `SELECT ${ROUND} FROM marking_round r WHERE r.organisation_id = ? AND r.id = ? ${this.database.dialect.forShare}`,
      [organisation, round],
    );
    return row && roundOf(row);
  }

  override async move(
    organisation: number,
    round: string,
    from: readonly RoundStatus[],
    to: RoundStatus,
    now: number,
  ): Promise<boolean> {
    if (!isId(round)) return false;
    const moved = await this.database.write(
      `UPDATE marking_round SET status = ?, changed_at = ?
       WHERE organisation_id = ? AND id = ? AND status IN (${questionMarks(from.length)})`,
      [to, now, organisation, round, ...from],
    );
    return moved === 1;
  }

  override async addAnswers(
    organisation: number,
    round: string,
    answers: readonly Pick<RoundAnswer, 'id' | 'sessionId' | 'responseId'>[],
  ): Promise<void> {
    await this.database.insert(
      'marking_answer',
      ['organisation_id', 'round_id', 'id', 'session_id', 'response_id', 'stage'],
      answers.map(({ id, sessionId, responseId }) => [organisation, round, id, sessionId, responseId, 'first']),
      this.database.dialect.onDuplicate(['organisation_id', 'round_id', 'session_id', 'response_id'], []),
    );
  }

  override async progress(organisation: number, rounds: readonly string[]): Promise<Map<string, RoundProgress>> {
    const found = new Map(rounds.map((round): [string, RoundProgress] => [round, none()]));
    if (rounds.length === 0) return found;
    const rows = await this.database.rows<{ round_id: string; stage: Stage; answers: number | string }>(
      `SELECT round_id, stage, COUNT(*) AS answers FROM marking_answer
       WHERE organisation_id = ? AND round_id IN (${questionMarks(rounds.length)}) GROUP BY round_id, stage`,
      [organisation, ...rounds],
    );
    for (const { round_id: round, stage, answers } of rows) found.get(round)![stage] = Number(answers);
    return found;
  }

  override async markedBy(organisation: number, round: string, marker: string): Promise<number> {
    const row = await this.database.row<{ answers: number | string }>(
      'SELECT COUNT(*) AS answers FROM marking_mark WHERE organisation_id = ? AND round_id = ? AND author_id = ?',
      [organisation, round, marker],
    );
    return Number(row?.answers ?? 0);
  }

  override async answer(organisation: number, round: string, id: string): Promise<RoundAnswer | undefined> {
    return this.one(organisation, round, id, '');
  }

  override async lock(organisation: number, round: string, id: string): Promise<RoundAnswer | undefined> {
    return this.one(organisation, round, id, this.database.dialect.forUpdate);
  }

  private async one(organisation: number, round: string, id: string, tail: string): Promise<RoundAnswer | undefined> {
    if (!isId(id)) return undefined;
    const row = await this.database.row<AnswerRow>(
      `SELECT ${ANSWER} FROM marking_answer a WHERE a.organisation_id = ? AND a.round_id = ? AND a.id = ? ${tail}`,
      [organisation, round, id],
    );
    return row && (await this.withMarks(organisation, round, [row], tail))[0];
  }

  private async withMarks(
    organisation: number,
    round: string,
    rows: readonly AnswerRow[],
    tail = '',
  ): Promise<RoundAnswer[]> {
    if (rows.length === 0) return [];
    const marks = await this.database.rows<RoundMark & { answer: string }>(
      `SELECT m.answer_id AS answer, ${MARK} FROM marking_mark m
       WHERE m.organisation_id = ? AND m.round_id = ? AND m.answer_id IN (${questionMarks(rows.length)})
       ORDER BY m.answer_id, m.turn ${tail}`,
      [organisation, round, ...rows.map(({ id }) => id)],
    );
    const byAnswer = grouped(marks.map(({ answer, ...mark }) => [answer, mark]));
    return rows.map((row) => answerOf(row, byAnswer.get(row.id) ?? []));
  }

  override async claimed(
    organisation: number,
    round: string,
    marker: string,
    now: number,
  ): Promise<string | undefined> {
    const row = await this.database.row<{ id: string }>(
      `SELECT id FROM marking_answer
       WHERE organisation_id = ? AND round_id = ? AND claimed_by = ? AND claimed_until > ? ORDER BY id LIMIT 1`,
      [organisation, round, marker, now],
    );
    return row?.id;
  }

  override async waiting(
    organisation: number,
    round: string,
    { stage, marker, now, after }: { stage: Stage; marker: string; now: number; after?: string },
    limit: number,
  ): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT a.id FROM marking_answer a
       WHERE a.organisation_id = ? AND a.round_id = ? AND a.stage = ? AND a.id > ?
         AND (a.claimed_by IS NULL OR a.claimed_until <= ?)
         AND NOT EXISTS (SELECT 1 FROM marking_mark m WHERE m.organisation_id = a.organisation_id
           AND m.round_id = a.round_id AND m.answer_id = a.id AND m.author_id = ?)
       ORDER BY a.id LIMIT ${limit}`,
      [organisation, round, stage, after !== undefined && isId(after) ? after : '', now, marker],
    );
    return rows.map(({ id }) => id);
  }

  override async claim(
    organisation: number,
    round: string,
    id: string,
    { marker, until, now, stages }: { marker: string; until: number; now: number; stages: readonly Stage[] },
  ): Promise<boolean> {
    await this.database.write(
      `UPDATE marking_answer SET claimed_by = ?, claimed_until = ?
       WHERE organisation_id = ? AND round_id = ? AND id = ? AND stage IN (${questionMarks(stages.length)})
         AND (claimed_by IS NULL OR claimed_until <= ? OR claimed_by = ?)`,
      [marker, until, organisation, round, id, ...stages, now, marker],
    );
    // Servers do not count a row whose values stay the same. So only the row itself shows who has the answer.
    const row = await this.database.row<Pick<AnswerRow, 'marker' | 'stage'>>(
      `SELECT claimed_by AS marker, stage FROM marking_answer WHERE organisation_id = ? AND round_id = ? AND id = ?
       ${this.database.dialect.forUpdate}`,
      [organisation, round, id],
    );
    return row?.marker === marker && stages.includes(row.stage);
  }

  override async release(organisation: number, round: string, marker: string): Promise<void> {
    await this.database.write(
      `UPDATE marking_answer SET claimed_by = NULL, claimed_until = NULL
       WHERE organisation_id = ? AND round_id = ? AND claimed_by = ?`,
      [organisation, round, marker],
    );
  }

  override async save(organisation: number, round: string, answer: RoundAnswer): Promise<void> {
    const { id, stage, score, claim, job, marks } = answer;
    const key: Parameter[] = [organisation, round, id];
    await this.database.write(
      `UPDATE marking_answer SET stage = ?, score = ?, claimed_by = ?, claimed_until = ?, job_id = ?
       WHERE organisation_id = ? AND round_id = ? AND id = ?`,
      [stage, score, claim?.marker ?? null, claim?.until ?? null, job, ...key],
    );
    await this.database.write(
      'DELETE FROM marking_mark WHERE organisation_id = ? AND round_id = ? AND answer_id = ? AND turn > ?',
      [...key, marks.length],
    );
    const columns = ['author_id', 'score', 'comment', 'marked_at', 'response_hash'];
    const names = ['organisation_id', 'round_id', 'answer_id', 'turn'];
    await this.database.insert(
      'marking_mark',
      [...names, ...columns],
      marks.map((mark, at) => [
        ...key,
        at + 1,
        mark.marker,
        mark.score,
        mark.comment,
        mark.markedAt,
        mark.responseHash,
      ]),
      this.database.dialect.onDuplicate(names, columns),
    );
  }

  override async answers(
    organisation: number,
    round: string,
    { stages, limit, after }: { stages?: readonly Stage[]; limit: number; after?: Position },
  ): Promise<Slice<RoundAnswer>> {
    const conditions = new Conditions();
    conditions.add('a.organisation_id = ? AND a.round_id = ?', organisation, round);
    if (stages) conditions.in('a.stage', stages);
    if (after) conditions.add('a.id > ?', after[0]!);
    const rows = await this.database.rows<AnswerRow>(
      `SELECT ${ANSWER} FROM marking_answer a WHERE ${conditions.text} ORDER BY a.id LIMIT ${limit + 1}`,
      conditions.parameters,
    );
    const entries = await this.withMarks(organisation, round, rows.slice(0, limit));
    return { entries, after: rows.length > limit ? [entries.at(-1)!.id] : undefined };
  }

  override async forget(organisation: number, sessionIds: readonly string[]): Promise<number> {
    let marks = 0;
    for (const part of inParts(sessionIds, BATCH_SIZE)) {
      const rows = await this.database.rows<{ round_id: string; id: string }>(
        `SELECT round_id, id FROM marking_answer WHERE organisation_id = ? AND session_id IN (${questionMarks(part.length)})`,
        [organisation, ...part],
      );
      for (const [round, ids] of grouped(rows.map((row) => [row.round_id, row.id]))) {
        const answers = `organisation_id = ? AND round_id = ?`;
        marks += await this.database.write(
          `DELETE FROM marking_mark WHERE ${answers} AND answer_id IN (${questionMarks(ids.length)})`,
          [organisation, round, ...ids],
        );
        await this.database.write(
          `DELETE FROM marking_answer WHERE ${answers} AND id IN (${questionMarks(ids.length)})`,
          [organisation, round, ...ids],
        );
      }
    }
    return marks;
  }

  override async ofSessions(organisation: number, sessionIds: readonly string[]): Promise<LearnerMark[]> {
    if (sessionIds.length === 0) return [];
    return this.database.rows<LearnerMark>(
      `SELECT a.session_id AS sessionId, a.response_id AS responseId, a.round_id AS round, ${MARK}
       FROM marking_answer a JOIN marking_mark m
         ON m.organisation_id = a.organisation_id AND m.round_id = a.round_id AND m.answer_id = a.id
       WHERE a.organisation_id = ? AND a.session_id IN (${questionMarks(sessionIds.length)})
       ORDER BY a.session_id, a.round_id, m.answer_id, m.turn`,
      [organisation, ...sessionIds],
    );
  }

  override async byQuestion(organisation: number): Promise<Map<string, { answers: number; settled: number }>> {
    const rows = await this.database.rows<{ question: string; answers: number | string; settled: number | string }>(
      `SELECT question, COUNT(*) AS answers, SUM(settled) AS settled FROM (
         SELECT r.question, MAX(CASE WHEN a.stage = 'settled' THEN 1 ELSE 0 END) AS settled
         FROM marking_round r JOIN marking_answer a ON a.organisation_id = r.organisation_id AND a.round_id = r.id
         WHERE r.organisation_id = ? GROUP BY r.question, a.session_id, a.response_id
       ) answered GROUP BY question`,
      [organisation],
    );
    return new Map(
      rows.map(({ question, answers, settled }) => [question, { answers: Number(answers), settled: Number(settled) }]),
    );
  }
}

const none = (): RoundProgress => Object.fromEntries(STAGES.map((stage) => [stage, 0])) as RoundProgress;
