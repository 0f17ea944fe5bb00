import { Fault, type JsonObject } from '#kernel';

/** What a page wanted to save does not go with what is stored: the page is told what that is. */
export class Stale extends Fault {
  constructor(
    message: string,
    /** Responses as they are stored, by their ids. */
    readonly stored: JsonObject,
    readonly saveNumber: number,
  ) {
    super('conflict', message);
  }
}

export const badToken = (message: string): Fault => new Fault('token', message);
