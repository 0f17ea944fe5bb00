import { Injectable } from '@nestjs/common';
import { type AnswerName, AnswerStore } from './ports/answer-store';

/** The change of a stored answer: a new text, its removal, or none. */
type AnswerChange = { answer: string } | 'removed' | 'same';

const BATCH_SIZE = 100;

/** Searches and changes the stored answers of calls with an idempotency key, for the erasure of learners. */
@Injectable()
export class AnswersErasure {
  constructor(private readonly store: AnswerStore) {}

  /**
   * Goes through the stored answers of an organisation, 100 at a time.
   * @param changesOf receives answers as JSON text, and returns the change of each in the same order.
   * @param run runs a unit of work; may roll it back.
   * @returns The number of answers changed.
   */
  async change(
    organisation: number,
    changesOf: (kept: readonly { key: string; answer: string }[]) => Promise<AnswerChange[]>,
    run: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<number> {
    let changed = 0;
    let after: AnswerName | undefined;
    for (let full = true; full;) {
      const slice = await this.store.kept(organisation, BATCH_SIZE, after);
      const changes = await changesOf(slice);
      const others = slice.flatMap((kept, index) => {
        const change = changes[index]!;
        return change === 'same' ? [] : [{ kept, change }];
      });
      if (others.length > 0)
        await run(async () => {
          for (const { kept, change } of others)
            if (change === 'removed') await this.store.remove(kept);
            else await this.store.replace(kept, kept.answer, change.answer);
        });
      changed += others.length;
      full = slice.length === BATCH_SIZE;
      after = slice.at(-1);
    }
    return changed;
  }
}
