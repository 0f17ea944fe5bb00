import { type Static, Type } from '@sinclair/typebox';
import { timeOf } from '#kernel';
import { type MarkingRound as Round, ROUND_STATUSES, type RoundProgress } from '#marking';
import { isoTime } from '#sessions';
import { integer, nullable, number, text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';

export const Progress = Type.Object(
  {
    answers: integer('All answers of the round.'),
    first: integer('Answers that nobody has marked.'),
    second: integer('Answers that wait for the second marker.'),
    third: integer('Answers whose two marks differ too much.'),
    settled: integer('Answers whose marks give a score.'),
  },
  { description: 'How far the round is.' },
);

export const StartedMarkingRound = resource(
  'StartedMarkingRound',
  'A marking round whose answers are being collected.',
  {
    reference: text('Reference of the round.'),
    job_reference: text('Reference of the job that collects its answers.'),
  },
);

export const MarkingRound = resource('MarkingRound', 'A round in which people mark the answers to a question.', {
  reference: text('Reference of the round.'),
  name: text('Its name.'),
  question: text('Reference of the question.'),
  markers: integer('How many people mark each answer.'),
  blind: Type.Boolean({ description: 'Whether markers see neither the learner nor the marks of others.' }),
  allowed_difference: number('Points by which two marks may differ.'),
  status: words(ROUND_STATUSES, {
    description: '`collecting`: a job collects its answers; `open`: people mark; `closed`: nobody marks.',
  }),
  author: nullable(text('Id of the author; null without one.')),
  job_reference: text('Reference of the job that collects its answers.'),
  progress: Progress,
  dt_created: text('Time of creation, UTC.'),
  dt_updated: text('Time of the latest change of its status, UTC.'),
});

export const progressView = ({ first, second, third, settled }: RoundProgress): Static<typeof Progress> => ({
  answers: first + second + third + settled,
  first,
  second,
  third,
  settled,
});

export const roundView = (round: Round & { progress: RoundProgress }): Static<typeof MarkingRound> => ({
  reference: round.id,
  name: round.name,
  question: round.question,
  markers: round.markers,
  blind: round.isBlind,
  allowed_difference: round.allowedDifference,
  status: round.status,
  author: round.author,
  job_reference: round.job,
  progress: progressView(round.progress),
  dt_created: isoTime(timeOf(round.id)),
  dt_updated: isoTime(round.changedAt),
});
