interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Batches requests of one turn of the event loop, and those that arrive while no further batch may start. */
export class Together<Asked, Answer> {
  private waiting: Waiting<Asked, Answer>[] = [];
  private goes = 0;
  private isBeginning = false;

  /**
   * @param perform returns the answers in the order of the requests
   * @param most largest number of requests in a batch
   * @param atATime largest number of batches at a time. With one, requests that arrive meanwhile wait for its end.
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
    // Lets other code of this turn of the event loop add its requests first.
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
