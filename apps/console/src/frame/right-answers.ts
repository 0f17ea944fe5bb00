import { useQuery } from '@tanstack/react-query';
import { batchesOf, call, keyOf } from '../operations/call';
import { objectOf } from '../ui/member-path';

interface Keyed {
  /** Identifies the question in the answer. */
  id: string;
  data: Record<string, unknown>;
  /** Absent: the type that the data name. */
  type?: string;
}

/** Whether the definition of a question may name a right answer. Definitions for viewers have none. */
export const hasKey = (data: Record<string, unknown>): boolean =>
  [objectOf(data.validation), data].some((each) => (each.valid_response ?? each.valid_responses ?? null) !== null);

/** For each question, a response value that earns the most points. Questions without one are absent. */
export function useRightAnswers(questions: readonly Keyed[]) {
  const asked = questions
    .filter(({ data }) => hasKey(data))
    .map(({ id, data, type }) => ({ ...data, type: type ?? String(data.type), response_id: id }));
  return useQuery({
    queryKey: [...keyOf('get scoring'), 'right answers', asked],
    enabled: asked.length > 0,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, unknown>> => {
      const found = new Map<string, unknown>();
      for (const batch of batchesOf(asked)) {
        const { data } = await call('get scoring', { questions: batch, include_reasons: true }, signal);
        for (const { response_id: id, reasons } of data)
          if ((reasons?.right_answer ?? null) !== null) found.set(id, reasons!.right_answer);
      }
      return found;
    },
  });
}
