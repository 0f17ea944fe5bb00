/** Why a text was not read as a formula. */
export class NotationError extends Error {
  constructor(
    /** `unreadable`: the text is not a formula. Otherwise it may be a formula, but it cannot be decided. */
    readonly why: 'unreadable' | 'unsupported' | 'too large',
    message: string,
  ) {
    super(message);
  }
}

export const unreadable = (message: string) => new NotationError('unreadable', message);
export const unsupported = (message: string) => new NotationError('unsupported', message);
export const tooLarge = (message: string) => new NotationError('too large', message);
