import { Injectable } from '@nestjs/common';
import { grouped } from '#kernel';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { rounded } from '#scoring';
import { joinedSession } from '#sessions';
import { ROUND_STATUSES, type RoundStatus, type Stage, outcomeOf } from '../domain/marking-round';

interface Row {
  round_id: string;
  id: string;
  stage: Stage;
  score: number | null;
  markers: number | null;
  allowed_difference: number | null;
  session: string | null;
}

interface MarkRow {
  round_id: string;
  answer_id: string;
  author_id: string;
  score: number;
  answer: string | null;
}

/** Checks marking rounds: answers belong to sessions, marks belong to answers, and stages and scores follow from the marks. */
@Injectable()
export class MarkingChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add(
      {
        name: 'marking rounds',
        of: { table: 'marking_round', column: 'id', batchSize: 1_000 },
        find: (range) => this.rounds(range),
      },
      {
        name: 'answers of marking rounds',
        of: { table: 'marking_answer', column: 'round_id', then: ['id'], batchSize: 1_000 },
        find: (range) => this.answers(range),
      },
      {
        name: 'marks of marking rounds',
        of: { table: 'marking_mark', column: 'round_id', then: ['answer_id'], batchSize: 1_000 },
        find: (range) => this.marks(range),
      },
    );
  }

  private async rounds(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('r', 'id');
    const rows = await this.database.rows<{ id: string; status: RoundStatus }>(
      `SELECT r.id, r.status FROM marking_round r WHERE ${sql} ORDER BY r.id`,
      parameters,
    );
    return rows.flatMap(({ id: reference, status }) =>
      ROUND_STATUSES.includes(status)
        ? []
        : [finding(reference, `its status is ${status}`, `one of ${ROUND_STATUSES.join(', ')}`)],
    );
  }

  private async answers(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('a', 'round_id', 'id');
    const rows = await this.database.rows<Row>(
      `SELECT a.round_id, a.id, a.stage, a.score, r.markers, r.allowed_difference, s.id AS session
       FROM marking_answer a
       LEFT JOIN marking_round r ON r.organisation_id = a.organisation_id AND r.id = a.round_id
       LEFT JOIN ${joinedSession('a', 's')}
       WHERE ${sql} ORDER BY a.round_id, a.id`,
      parameters,
    );
    const marks = grouped((await this.markRows(range)).map((mark) => [mark.answer_id, mark]));
    return rows.flatMap(({ id, round_id, stage, score, markers, allowed_difference: allowed, session }) => {
      if (markers === null || allowed === null)
        return [finding(round_id, `the answer ${id} belongs to a round that does not exist`, 'a round')];
      const should = outcomeOf({ markers, allowedDifference: allowed }, marks.get(id) ?? []);
      const isRight = should.stage === stage && exact(should.score) === exact(score);
      return [
        ...(session === null
          ? [finding(round_id, `the answer ${id} belongs to a session that does not exist`, 'a session')]
          : []),
        ...(isRight
          ? []
          : [
              finding(
                round_id,
                `the answer ${id} is at the stage ${stage} with the score ${score}`,
                `${should.stage} with the score ${should.score}, as its marks say`,
              ),
            ]),
      ];
    });
  }

  private async marks(range: RowRange): Promise<NewFinding[]> {
    const rows = await this.markRows(range);
    const markers = new Set<string>();
    return rows.flatMap(({ round_id: round, answer_id: id, author_id: author, answer }) => {
      if (answer === null)
        return [finding(round, `a mark belongs to the answer ${id}, which does not exist`, 'an answer')];
      const key = JSON.stringify([id, author]);
      const isSecond = markers.has(key);
      markers.add(key);
      return isSecond
        ? [finding(round, `the answer ${id} has two marks of ${author}`, 'marks of different people')]
        : [];
    });
  }

  private markRows(range: RowRange): Promise<MarkRow[]> {
    const { sql, parameters } = range.in('m', 'round_id', 'answer_id');
    return this.database.rows<MarkRow>(
      `SELECT m.round_id, m.answer_id, m.author_id, m.score, a.id AS answer FROM marking_mark m
       LEFT JOIN marking_answer a
         ON a.organisation_id = m.organisation_id AND a.round_id = m.round_id AND a.id = m.answer_id
       WHERE ${sql} ORDER BY m.round_id, m.answer_id, m.turn`,
      parameters,
    );
  }
}

/** Earlier versions stored means with the errors of floating-point numbers. */
const exact = (score: number | null): number | null => score && rounded(score);

const finding = (reference: string, found: string, expected: string): NewFinding => ({
  kind: 'marking round',
  reference,
  found,
  expected,
});
