interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Does in one go what is asked for in one turn of the event loop, and what comes while no further go may begin. */
export class Together<Asked, Answer> {
  private waiting: Waiting<Asked, Answer>[] = [];
  private goes = 0;
  private isBeginning = false;

  /**
   * @param perform gives the answers in the order of what was asked
   * @param most so much in one go
   * @param atATime so many goes are under way at a time; with one, who asks meanwhile waits for its end first
   */
  constructor(
    private readonly perform: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
    private readonly most: number,
    private readonly atATime = 1,
  ) {}

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      this.begin();
    });
  }

  private begin(): void {
    if (this.isBeginning || this.goes === this.atATime || this.waiting.length === 0) return;
    this.isBeginning = true;
    // Others of this turn come first.
    setImmediate(() => {
      this.isBeginning = false;
      this.goes++;
      void this.go(this.waiting.splice(0, this.most)).finally(() => {
        this.goes--;
        this.begin();
      });
      this.begin();
    });
  }

  private async go(together: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await this.perform(together.map(({ asked }) => asked));
      for (const [index, { resolve }] of together.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
}
