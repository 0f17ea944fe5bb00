/** A fault at one place of a request. `pointer` is a JSON pointer: `/items/0/reference`. */
export interface FaultPlace {
  code: number;
  message: string;
  pointer: string;
}

/** A refused call. The message of the service names the problem, its place and its remedy. */
export class Fault extends Error {
  /** Whether the person in whose name the call was made is not signed in any more. */
  isSignedOut: boolean;

  constructor(
    message: string,
    readonly status: number,
    readonly code: number,
    readonly places: readonly FaultPlace[] = [],
    /** Id of the call in the log of the service. */
    readonly requestId?: string,
  ) {
    super(message);
    this.isSignedOut = status === 401;
  }

  /** Whether somebody else has changed the record meanwhile. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  /** Whether the person must confirm their identity with the password. */
  get needsConfirmation(): boolean {
    return this.code === 41007;
  }
}

/** The service could not be reached; the same call may succeed later. */
export class Unreachable extends Error {}
