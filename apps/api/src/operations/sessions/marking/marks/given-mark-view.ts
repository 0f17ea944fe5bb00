import { type Static } from '@sinclair/typebox';
import { type RoundMarking } from '#marking';
import { nullable, number, text } from '../../../../declaration/fields';
import { type Result } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';
import { stage } from '../answer-view';

export const GivenMark = resource('GivenMark', 'The effect of a mark.', {
  answer: text('Reference of the answer.'),
  stage: stage(),
  score: nullable(number('The score that the marks give; null until they are settled.')),
  job_reference: nullable(text('Job that writes the score of the response; null when no score changes.')),
});

export function givenMarkView(answer: string, given: Awaited<ReturnType<RoundMarking['mark']>>): Result {
  const view: Static<typeof GivenMark> = {
    answer,
    stage: given.stage,
    score: given.score,
    job_reference: given.job,
  };
  return { data: JSON.stringify(view) };
}
