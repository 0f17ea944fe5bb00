import { migration } from './migration';

/** `response_hash`: SHA-256 of the answer that the mark was given for; null in marks of earlier versions. */
export const answersOfMarks = migration('AnswersOfMarks1798200000000', ({ types: { hash } }) => [
  `ALTER TABLE marking_mark ADD COLUMN response_hash ${hash} NULL`,
]);
