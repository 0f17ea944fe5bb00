import { useMemo, useRef, useState } from 'react';
import type { Extras, Widget } from '../../frame/shown-items';
import { batchesOf, call } from '../../operations/call';
import type { ResponseScore } from '../../operations/operations';
import { useTask } from '../../ui/use-task';

/** A trial of questions: the answers of the person, and their scores with reasons. Nothing is stored. */
export function useTrial(widgets: readonly Widget[]) {
  const answers = useRef(new Map<string, unknown>());
  const [scores, setScores] = useState<readonly ResponseScore[] | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { run, isBusy, fault } = useTask();

  const extras = useMemo((): Extras => {
    const byResponse = new Map(scores?.map((score) => [score.response_id, score]));
    return ({ reference }) => {
      const score = byResponse.get(reference);
      if (!score) return {};
      const value = answers.current.get(reference) ?? null;
      const { review_parts: parts, right_answer: correct } = score.reasons!;
      return { value, review: { score: score.score, maxScore: score.max_score, parts: parts ?? undefined, correct } };
    };
  }, [scores]);

  const score = () =>
    run(async () => {
      const asked = answers.current;
      const given = new Map(asked);
      const questions = widgets
        .filter(({ kind }) => kind === 'question')
        .map(({ reference, type, data }) => ({ ...data, type, response_id: reference }));
      const found: ResponseScore[] = [];
      for (const some of batchesOf(questions)) {
        const answered = some.filter(({ response_id: id }) => (given.get(id) ?? null) !== null);
        const responses = Object.fromEntries(answered.map(({ response_id: id }) => [id, { value: given.get(id) }]));
        const { data } = await call('get scoring', { questions: some, responses, include_reasons: true });
        found.push(...data);
      }
      // The person has started over meanwhile.
      if (answers.current !== asked) return;
      // The scores are shown with the answers that they belong to.
      answers.current = given;
      setScores(found);
    });

  return {
    scores,
    isBusy,
    fault,
    /** Changes with each new start, so that the frame begins anew. */
    attempt,
    /** The answer and the marks that the frame shows with each scored question. */
    extras,
    score,
    answer: (reference: string, value: unknown) => void answers.current.set(reference, value),
    changeAnswers: () => setScores(null),
    startOver() {
      answers.current = new Map();
      setScores(null);
      setAttempt(attempt + 1);
    },
  };
}
