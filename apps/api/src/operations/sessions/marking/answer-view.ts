import { type Static, Type } from '@sinclair/typebox';
import { type Author, type Scope } from '#kernel';
import { type AnswerToMark as ToMark, markerOf, responseHash, type ShownAnswer, STAGES, type Taken } from '#marking';
import { isoTime } from '#sessions';
import { integer, jsonObject, nullable, number, text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';
import { authorView, User } from '../../author-view';
import { Progress, progressView } from './round-view';

export const stage = () =>
  words(STAGES, { description: 'Which mark the answer waits for; `settled`: its marks give a score.' });

const Mark = Type.Object({
  author: User,
  score: number('Points.'),
  comment: nullable(text('Comment of the marker.')),
  dt_marked: text('Time of the mark, UTC.'),
});

export const TakenAnswer = resource('TakenAnswer', 'The answer that a marker has in hand.', {
  answer: nullable(text('Reference of the answer; null when nothing waits for this marker.')),
  dt_until: nullable(text('Time until which nobody else gets the answer, UTC.')),
  marked_by_me: integer('Answers that this marker has marked.'),
  progress: Progress,
});

export const AnswerToMark = resource('AnswerToMark', 'An answer with its question.', {
  reference: text('Reference of the answer.'),
  stage: stage(),
  question_reference: text('Reference of the question.'),
  item_reference: text('Reference of its item.'),
  max_score: number('Maximum score.'),
  response: nullable(jsonObject('The response as the player stored it.')),
  response_hash: text('SHA-256 of its value, for `if_response_hash` of a mark.'),
  question: nullable(
    jsonObject('The question as the learner answered it; null when the caller may not read its item bank.'),
  ),
  session_id: nullable(text('Id of the session; null in a blind round.')),
  user_id: nullable(text('Id of the learner; null in a blind round.')),
  activity_id: nullable(text('Id of the activity; null in a blind round.')),
  marks: Type.Array(Mark, {
    description:
      'Its marks so far, without those of an earlier response of the learner; in a blind round, only those of the caller.',
  }),
});

export const MarkedAnswer = resource('MarkedAnswer', 'An answer of a marking round with its marks.', {
  reference: text('Reference of the answer.'),
  session_id: text('Id of the session.'),
  response_id: text('Id of the response.'),
  stage: stage(),
  score: nullable(number('The score that the marks give; null until they are settled.')),
  claimed_by: nullable(text('Id of the marker who took it last and has not marked it; null for none.')),
  job_reference: nullable(text('Job that last wrote the score of the response.')),
  marks: Type.Array(Mark, {
    description: 'Its marks in the order in which they were given.',
  }),
});

export const takenView = ({ answer, progress, marked }: Taken): Static<typeof TakenAnswer> => ({
  answer: answer?.id ?? null,
  dt_until: answer ? isoTime(answer.until) : null,
  marked_by_me: marked,
  progress: progressView(progress),
});

export function answerToMarkView(answer: ToMark, scope: Scope): Static<typeof AnswerToMark> {
  const { id, session, response, question, marks, round } = answer;
  const shown = round.isBlind ? marks.filter(({ marker }) => marker === markerOf(scope)) : marks;
  return {
    reference: id,
    stage: answer.stage,
    question_reference: question.reference,
    item_reference: question.item,
    max_score: response.maxScore,
    response: response.response,
    response_hash: responseHash(response.response),
    question: question.definition,
    session_id: round.isBlind ? null : session.sessionId,
    user_id: round.isBlind ? null : session.userId,
    activity_id: round.isBlind ? null : session.activityId,
    marks: shown.map(markView),
  };
}

export const markedAnswerView = (answer: ShownAnswer): Static<typeof MarkedAnswer> => ({
  reference: answer.id,
  session_id: answer.sessionId,
  response_id: answer.responseId,
  stage: answer.stage,
  score: answer.score,
  claimed_by: answer.claim?.marker ?? null,
  job_reference: answer.job,
  marks: answer.marks.map(markView),
});

interface ShownMark {
  marker: string;
  author: Author | undefined;
  score: number;
  comment: string | null;
  markedAt: number;
}

const markView = ({ marker, author, score, comment, markedAt }: ShownMark): Static<typeof Mark> => ({
  author: authorView(marker, author),
  score,
  comment,
  dt_marked: isoTime(markedAt),
});
