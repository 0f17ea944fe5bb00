import { LIMITS } from '../limits';
import { tooLarge, unreadable, type NotationError } from './notation-error';
import type { Token } from './tokens';

/** A position among tokens. */
export class Cursor {
  private place = 0;
  private depth = 0;

  constructor(private tokens: readonly Token[]) {}

  get token(): Token | undefined {
    return this.tokens[this.place];
  }

  ahead(by: number): Token | undefined {
    return this.tokens[this.place + by];
  }

  move(by: number): void {
    this.place += by;
  }

  take(): Token {
    const token = this.token;
    if (!token) throw unreadable('it ends before it is complete');
    this.place += 1;
    return token;
  }

  /** Takes the first digit of the number at this position and leaves the rest. */
  takeDigit(): string | undefined {
    const token = this.token;
    if (token?.kind !== 'number' || token.whole.length < 2) return undefined;
    this.tokens = this.tokens.with(this.place, { ...token, whole: token.whole.slice(1) });
    return token.whole[0];
  }

  peek(mark: string): boolean {
    return isMark(this.token, mark);
  }

  /** Takes the mark at this position if it is one of these. */
  acceptOneOf(marks: ReadonlySet<string>): string | undefined {
    const token = this.token;
    if (token?.kind !== 'mark' || !marks.has(token.text)) return undefined;
    this.place += 1;
    return token.text;
  }

  accept(mark: string): boolean {
    if (!this.peek(mark)) return false;
    this.place += 1;
    return true;
  }

  acceptCommand(name: string): boolean {
    if (!isCommand(this.token, name)) return false;
    this.place += 1;
    return true;
  }

  /** Returns the result of `read`. If it is undefined, resets the position. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const { place, tokens } = this;
    const result = read();
    if (result === undefined) [this.place, this.tokens] = [place, tokens];
    return result;
  }

  expect(mark: string): void {
    if (!this.accept(mark))
      throw this.token
        ? this.unexpected(`instead of "${shown(mark)}"`)
        : unreadable(`"${shown(mark)}" is missing at its end`);
  }

  /** Runs `read` one level deeper. @throws NotationError beyond the nesting limit. */
  deeper<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > LIMITS.nesting) throw tooLarge(`it is nested more than ${LIMITS.nesting} deep`);
    const result = read();
    this.depth -= 1;
    return result;
  }

  unexpected(besides = ''): NotationError {
    const token = this.token;
    if (!token) return unreadable('it ends before it is complete');
    const text = token.kind === 'number' ? token.whole : shown(token.text);
    return unreadable(`"${text}" (place ${token.at + 1}) does not belong there${besides ? ` ${besides}` : ''}`);
  }
}

export function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark;
}

export function isCommand(token: Token | undefined, name: string): boolean {
  return token?.kind === 'command' && token.text === name;
}

function shown(text: string): string {
  return text === '⟦' ? '\\{' : text === '⟧' ? '\\}' : text;
}
