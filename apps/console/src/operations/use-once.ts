import { useRef } from 'react';
import { type Answer, call, type Input, type OperationName, type Output } from './call';

/**
 * A call that has its effect once: if its answer is lost and the person sends the same input again, the service repeats
 * the answer. After an answer, or with another input, it is a new call.
 */
export function useOnce() {
  const sent = useRef({ text: '', key: '' });
  return async <N extends OperationName>(name: N, input: Input<N>): Promise<Answer<Output<N>>> => {
    const text = JSON.stringify([name, input]);
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    const answer = await call(name, { ...input, meta: { idempotency_key: sent.current.key } });
    sent.current = { text: '', key: '' };
    return answer;
  };
}
