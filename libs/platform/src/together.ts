import { setImmediate as othersOfThisTurn } from 'node:timers/promises';

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Does in one go what is asked for while it is at work. Whoever asks when it is idle waits no longer than for the others who
 * ask in the same turn of the event loop.
 */
export class Together<Asked, Answer> {
  private waiting: Waiting<Asked, Answer>[] = [];
  private working = false;

  /**
   * @param perform gives the answers in the order of what was asked
   * @param most so much in one go
   */
  constructor(
    private readonly perform: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
    private readonly most: number,
  ) {}

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      if (!this.working) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.working = true;
    while (this.waiting.length > 0) {
      await othersOfThisTurn();
      const together = this.waiting.splice(0, this.most);
      try {
        const answers = await this.perform(together.map(({ asked }) => asked));
        for (const [index, { resolve }] of together.entries()) resolve(answers[index]!);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    this.working = false;
  }
}
