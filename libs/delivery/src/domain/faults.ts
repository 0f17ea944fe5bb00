import { Fault, type JsonObject } from '#kernel';

/** A save conflicts with the stored state, which is sent to the page. */
export class Stale extends Fault {
  constructor(
    message: string,
    /** The stored responses, by id. */
    readonly stored: JsonObject,
    readonly saveNumber: number,
    /** Whether the session or its time has ended. Otherwise another page has saved it. */
    readonly isOver: boolean,
  ) {
    super('conflict', message);
  }
}

/** The test cannot be started now, because of its fixed time. */
export class OutsideTime extends Fault {
  constructor(
    message: string,
    /** Milliseconds since 1970; absent: the time is over. */
    readonly startsAt?: number,
    /** Seconds from now to the start. */
    readonly startsInSeconds?: number,
  ) {
    super('conflict', message, '/config/time/start_time');
  }
}

export const badToken = (message: string): Fault => new Fault('token', message);
