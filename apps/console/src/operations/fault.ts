/** One wrong place in a request. `pointer` is a JSON pointer: `/items/0/reference`. */
export interface FaultPlace {
  code: number;
  message: string;
  pointer: string;
}

/** A refused call. The service says what was wrong, where, and what would be right. */
export class Fault extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: number,
    readonly places: readonly FaultPlace[] = [],
    /** Finds the call in the log of the service. */
    readonly requestId?: string,
  ) {
    super(message);
  }

  /** Nobody is signed in any more. */
  get isSignedOut(): boolean {
    return this.status === 401;
  }

  /** Somebody else changed the record meanwhile. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  /** The person must confirm with the password who they are. */
  get needsConfirmation(): boolean {
    return this.code === 41007;
  }
}

/** The service could not be reached; the same call may succeed later. */
export class Unreachable extends Error {}
