import { migration } from './migration';

/** Rounds in which people mark the answers to a question, their answers, and the marks that people gave. */
export const marking = migration(
  'Marking1797400000000',
  ({ types: { exact, flag, id, integer, long, number, time, word }, tableOptions }) => [
    // `question`: reference of the question. `markers`: one or two. `job_id`: the job that collects its answers.
    `CREATE TABLE marking_round (
      organisation_id ${integer} NOT NULL,
      id ${id} NOT NULL,
      name ${exact(255)} NOT NULL,
      question ${exact(150)} NOT NULL,
      markers ${integer} NOT NULL,
      is_blind ${flag} NOT NULL,
      allowed_difference ${number} NOT NULL,
      status ${word} NOT NULL,
      author_id ${exact(50)} NULL,
      job_id ${id} NOT NULL,
      changed_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, id)
    ) ${tableOptions(false)}`,
    // An answer of a round. `stage`: the mark that it waits for, or `settled`. `score`: the result of the settled
    // marks. `claimed_by`: the person who has it in hand until `claimed_until`. `job_id`: the job that last wrote its
    // score.
    `CREATE TABLE marking_answer (
      organisation_id ${integer} NOT NULL,
      round_id ${id} NOT NULL,
      id ${id} NOT NULL,
      session_id ${exact(64)} NOT NULL,
      response_id ${exact(255)} NOT NULL,
      stage ${word} NOT NULL,
      score ${number} NULL,
      claimed_by ${exact(50)} NULL,
      claimed_until ${time} NULL,
      job_id ${id} NULL,
      PRIMARY KEY (organisation_id, round_id, id)
    ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX marking_answer_response ON marking_answer (organisation_id, round_id, session_id, response_id)`,
    `CREATE INDEX marking_answer_stage ON marking_answer (organisation_id, round_id, stage, id)`,
    `CREATE INDEX marking_answer_session ON marking_answer (organisation_id, session_id)`,
    // `turn`: 1 and 2 for the two markers, 3 for the third person.
    `CREATE TABLE marking_mark (
      organisation_id ${integer} NOT NULL,
      round_id ${id} NOT NULL,
      answer_id ${id} NOT NULL,
      turn ${integer} NOT NULL,
      author_id ${exact(50)} NOT NULL,
      score ${number} NOT NULL,
      comment ${long} NULL,
      marked_at ${time} NOT NULL,
      PRIMARY KEY (organisation_id, round_id, answer_id, turn)
    ) ${tableOptions(false)}`,
  ],
);
