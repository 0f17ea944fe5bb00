import { negative, product, sum } from './building';
import { functionName, INVERSES, isFunction, LETTER_COMMANDS, PLACEHOLDERS, UNSUPPORTED_COMMANDS } from './commands';
import { Cursor, isCommand, isMark } from './cursor';
import { unitOf } from '../units';
import { checkSize, type Formula, type RelationSign, type Sign } from './formula';
import { unreadable, unsupported } from './notation-error';
import { readSymbol, takeFunction, takeUnit, textOf } from './names';
import { readNumber } from './numbers';
import { LEFT_OUT, withoutTexts } from './texts';
import { tokensOf, type NumberFormat, type Token } from './tokens';

export interface Notation extends NumberFormat {
  /** Brackets may enclose an interval: [1, 4). */
  intervals: boolean;
  /** Names such as `sin` without a backslash are letters. */
  onlyLetters: boolean;
  /** Texts are ignored. */
  ignoreText: boolean;
  /** Letters that name units are units. */
  units: boolean;
  /** Commands such as \number are placeholders. */
  placeholders: boolean;
}

const RELATIONS: ReadonlySet<string> = new Set(['=', '<', '>', '≤', '≥', '≠', '≈']);
const SIGNS: ReadonlySet<string> = new Set(['+', '-', '±', '∓']);
const BRACKETS: ReadonlySet<string> = new Set(['(', '[', '⟦', '{', 'l|']);
const CURRENCIES: ReadonlySet<string> = new Set(['$', '€', '£', '¥']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', ']': '[' };

/**
 * Reads LaTeX as a formula of school mathematics.
 * @throws NotationError if it is not a formula, exceeds LIMITS, or has a meaning that this reader does not support
 */
export function readFormula(latex: string, notation: Notation): Formula {
  const tokens = tokensOf(latex, notation);
  const statements = joinedStatements(tokens);
  const read = (part: Token[]) => new Reader(new Cursor(part), notation, definedFunction(part)).read();
  const formula: Formula = statements
    ? { kind: 'joined', by: statements.by, entries: statements.parts.map(read) }
    : read(tokens);
  checkSize(formula);
  return notation.ignoreText ? withoutTexts(formula) : formula;
}

const CONNECTIVES: Readonly<Record<string, 'and' | 'or'>> = {
  and: 'and',
  land: 'and',
  wedge: 'and',
  or: 'or',
  lor: 'or',
  vee: 'or',
};

/** Relations joined by "and" or "or" outside of brackets; undefined for other formulas. */
function joinedStatements(tokens: Token[]): { by: 'and' | 'or'; parts: Token[][] } | undefined {
  const parts: Token[][] = [[]];
  const found = new Set<'and' | 'or'>();
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'mark' && OPENING.has(token.text)) depth += 1;
    if (token.kind === 'mark' && ENDING.has(token.text)) depth -= 1;
    const isWord = token.kind === 'text' || token.kind === 'command';
    const by = isWord && depth === 0 ? CONNECTIVES[token.text.trim().toLowerCase()] : undefined;
    if (by) {
      found.add(by);
      parts.push([]);
    } else parts.at(-1)!.push(token);
  }
  const [by] = found;
  const areRelations = parts.every((part) => part.some((token) => token.kind === 'mark' && RELATIONS.has(token.text)));
  return by && found.size === 1 && areRelations ? { by, parts } : undefined;
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', '⟦', '{']);
const ENDING: ReadonlySet<string> = new Set([')', ']', '⟧', '}']);

/** The name f in a formula that begins with f(x) =, for any letter. Elsewhere f(x) is a product. */
function definedFunction([name, open, variable, close, equals]: Token[]): string | undefined {
  const defines = isMark(open, '(') && variable?.kind === 'letter' && isMark(close, ')') && isMark(equals, '=');
  return defines && name?.kind === 'letter' ? name.text : undefined;
}

/** A recursive-descent parser, by precedence: list, relation, sum, product, power, operand. */
class Reader {
  /** Number of open vertical bars. Within them, a bar closes. */
  private bars = 0;
  /** Number of open round and square brackets. */
  private tuples = 0;
  /** Whether the last factor was a unit. */
  private afterUnit = false;

  constructor(
    private readonly at: Cursor,
    private readonly notation: Notation,
    private readonly functionLetter: string | undefined,
  ) {}

  read(): Formula {
    if (!this.at.token) throw unreadable('it is empty');
    const formula = this.list();
    if (this.at.token) throw this.at.unexpected();
    return formula;
  }

  private list(): Formula {
    const first = this.relation();
    const entries = [first];
    while (this.at.accept(',') || this.at.accept(';')) entries.push(this.relation());
    return entries.length === 1 ? first : { kind: 'list', entries };
  }

  private relation(): Formula {
    const first = this.sum();
    const sides = [first];
    const signs: RelationSign[] = [];
    for (let sign = this.at.acceptOneOf(RELATIONS); sign; sign = this.at.acceptOneOf(RELATIONS)) {
      const orEqual = (sign === '<' || sign === '>') && this.at.accept('=');
      signs.push((orEqual ? (sign === '<' ? '≤' : '≥') : sign) as RelationSign);
      sides.push(this.sum());
    }
    return signs.length === 0 ? first : { kind: 'relation', signs, sides };
  }

  private sum(): Formula {
    const signs: Sign[] = [];
    const terms: Formula[] = [];
    let sign: string | undefined = this.at.acceptOneOf(SIGNS) ?? '+';
    while (sign) {
      signs.push(sign as Sign);
      terms.push(this.product());
      sign = this.at.acceptOneOf(SIGNS) ?? (this.atNextAmount() ? sign : undefined);
    }
    return sum(signs, terms);
  }

  /** 1 h 30 min is a sum, and a sign before it applies to all of it. */
  private atNextAmount(): boolean {
    return this.at.token?.kind === 'number' && this.afterUnit;
  }

  private product(): Formula {
    let result = this.signedPower();
    for (;;) {
      if (this.at.accept('*')) result = product(result, this.signedPower());
      else if (this.at.accept('/')) {
        this.refuseDerivative(result);
        result = { kind: 'quotient', numerator: result, denominator: this.signedPower() };
      } else if (this.startsOperand() && !this.atNextAmount()) result = product(result, this.besides(result));
      else return result;
    }
  }

  /** Rejects dy/dx on one line: its second d stands directly before another letter. */
  private refuseDerivative(numerator: Formula): void {
    const [d, letter] = [this.at.token, this.at.ahead(1)];
    if (beginsWithD(numerator) && d?.kind === 'letter' && d.text === 'd' && letter?.kind === 'letter')
      throw unsupported('a derivative is not decided here');
  }

  /** A number with its own sign in a place where no sum can begin: 2 · −3. */
  private signedPower(): Formula {
    if (this.at.accept('-')) return this.at.deeper(() => negative(this.signedPower()));
    if (this.at.accept('+')) return this.at.deeper(() => this.signedPower());
    return this.power();
  }

  /** A factor beside the one before it, without a sign. */
  private besides(before: Formula): Formula {
    const afterNumber = this.at.ahead(-1)?.kind === 'number' || before.kind === 'mixed';
    if (afterNumber && this.at.token?.kind === 'number') throw this.at.unexpected('beside another number');
    return this.power();
  }

  private startsOperand(): boolean {
    const token = this.at.token;
    if (token?.kind !== 'mark') return token !== undefined;
    // Inside an interval, [ may be the closing bracket.
    if (token.text === '[' && this.notation.intervals) return this.tuples === 0;
    return BRACKETS.has(token.text) || (token.text === '|' && this.bars === 0);
  }

  private startsFunction(): boolean {
    const token = this.at.token;
    return (token?.kind === 'command' || token?.kind === 'text') && isFunction(token.text);
  }

  /** An operand with its postfixes: exponent, !, %, °. */
  private power(): Formula {
    let result = this.operand();
    this.afterUnit = result.kind === 'text' && unitOf(result.text) !== undefined && !CURRENCIES.has(result.text);
    let raised = false;
    for (;;) {
      if (this.at.accept('!')) result = call('factorial', result);
      else if (this.at.accept('%')) result = call('percent', result);
      else if (this.at.accept('°') || this.acceptRaisedCircle()) result = product(result, this.degree());
      else if (this.at.accept('^')) {
        if (raised) throw unreadable('a power has two exponents');
        raised = true;
        const base = result;
        result = { kind: 'power', base, exponent: this.at.deeper(() => this.script()) };
      } else return result;
    }
  }

  private degree(): Formula {
    const scale = this.notation.units && this.at.token?.kind === 'letter' ? this.at.token.text : '';
    if (scale !== 'C' && scale !== 'F') return { kind: 'text', text: '°' };
    this.at.move(1);
    return { kind: 'text', text: `°${scale}` };
  }

  private acceptRaisedCircle(): boolean {
    if (!this.at.peek('^')) return false;
    const braced = isMark(this.at.ahead(1), '{');
    const circle = isCommand(this.at.ahead(braced ? 2 : 1), 'circ') || isMark(this.at.ahead(braced ? 2 : 1), '°');
    if (!circle || (braced && !isMark(this.at.ahead(3), '}'))) return false;
    this.at.move(braced ? 4 : 2);
    return true;
  }

  /** The argument of ^ or _: braces, or one operand with its sign. */
  private script(): Formula {
    if (this.at.peek('{')) return this.braces();
    if (this.at.accept('-')) return negative(this.plainOperand());
    this.at.accept('+');
    return this.plainOperand();
  }

  /** Rejects a mixed number: x^2 1/2 is not a power of two and a half. */
  private plainOperand(): Formula {
    const token = this.at.token;
    if (token?.kind !== 'number') return this.operand();
    this.at.move(1);
    return {
      kind: 'number',
      whole: token.whole,
      ...(token.decimals === undefined ? {} : { decimals: token.decimals }),
    };
  }

  private operand(): Formula {
    const token = this.at.take();
    switch (token.kind) {
      case 'number':
        return readNumber(this.at, token);
      case 'letter':
        return this.letter(token);
      case 'text':
        if (isFunction(token.text)) return this.call(functionName(token.text));
        return this.notation.ignoreText ? LEFT_OUT : { kind: 'text', text: token.text };
      case 'command':
        return this.command(token);
      case 'mark':
        return this.at.deeper(() => this.bracketed(token));
    }
  }

  private letter(token: Token & { kind: 'letter' }): Formula {
    const word = this.notation.onlyLetters ? undefined : takeFunction(this.at, token.text);
    if (word) return this.call(word);
    const unit = this.notation.units ? takeUnit(this.at, token.text) : undefined;
    if (unit) return { kind: 'text', text: unit };
    if (token.text === this.functionLetter && this.at.peek('(')) return call(token.text, this.operand());
    return readSymbol(this.at, token.text);
  }

  private command(token: Token & { kind: 'command' }): Formula {
    const name = functionName(token.text);
    if (isFunction(name)) return this.call(name);
    if (this.notation.units && name === 'Omega') return { kind: 'text', text: 'Ω' };
    if (this.notation.units && name === 'mu' && this.at.token?.kind === 'letter') {
      const unit = this.at.attempt(() => takeUnit(this.at, `µ${textOf(this.at.take())}`));
      if (unit) return { kind: 'text', text: unit };
    }
    if (this.notation.placeholders && PLACEHOLDERS.has(name)) return this.placeholder(name);
    if (LETTER_COMMANDS.has(name)) return readSymbol(this.at, `\\${name}`);
    return this.at.deeper(() => this.structure(name, token.at));
  }

  /** \decimal{2}, with the number of decimals. */
  private placeholder(name: string): Formula {
    return { kind: 'call', name: `\\${name}`, arguments: this.at.peek('{') ? [this.braces()] : [] };
  }

  private structure(name: string, at: number): Formula {
    switch (name) {
      case 'frac':
      case 'dfrac':
      case 'tfrac':
      case 'cfrac':
        return fraction(this.argument(), this.argument());
      case 'binom':
      case 'dbinom':
        return call('binomial', this.argument(), this.argument());
    }
    if (UNSUPPORTED_COMMANDS.has(name)) throw unsupported(`"\\${name}" is not decided here`);
    throw unreadable(`"\\${name}" (place ${at + 1}) is not a command of mathematics`);
  }

  /** Braces, or the one digit or operand that LaTeX takes without braces. */
  private argument(): Formula {
    if (this.at.peek('{')) return this.braces();
    const digit = this.at.takeDigit();
    return digit === undefined ? this.operand() : { kind: 'number', whole: digit };
  }

  /** A function with its power, base and argument: sin² x, log₂ 8. */
  private call(name: string): Formula {
    return this.at.deeper(() => (name === 'sqrt' ? this.root() : this.namedCall(name)));
  }

  private root(): Formula {
    if (!this.at.accept('[')) return { kind: 'root', of: this.argument() };
    const index = this.sum();
    this.at.expect(']');
    return { kind: 'root', of: this.argument(), index };
  }

  private namedCall(name: string): Formula {
    let exponent: Formula | undefined;
    let base: Formula | undefined;
    for (;;) {
      if (!base && name === 'log' && this.at.accept('_')) base = this.argument();
      else if (!exponent && this.at.accept('^')) exponent = this.script();
      else break;
    }
    const inverse = exponent && isMinusOne(exponent) ? INVERSES[name] : undefined;
    const argument = this.functionArgument();
    const called = base ? call(name, argument, base) : call(inverse ?? name, argument);
    return exponent && !inverse ? { kind: 'power', base: called, exponent } : called;
  }

  /**
   * An argument in brackets; without them, all factors up to the next sign or function: sin 2x cos x is (sin 2x)(cos
   * x).
   */
  private functionArgument(): Formula {
    if (this.at.peek('(') || this.at.peek('{') || this.at.peek('[')) return this.operand();
    if (this.at.accept('-')) return this.at.deeper(() => negative(this.functionArgument()));
    let result = this.power();
    while (this.startsOperand() && !this.startsFunction() && !this.at.peek('(')) {
      result = product(result, this.besides(result));
    }
    return result;
  }

  private bracketed(token: Token & { kind: 'mark' }): Formula {
    if (token.text === '(' || token.text === '[' || (token.text === ']' && this.notation.intervals)) {
      return this.tuple(token);
    }
    if (token.text === '⟦') return this.set();
    if (token.text === '|') return this.absolute();
    if (token.text === 'l|') return this.enclosed('r|', () => call('abs', this.sum()));
    this.at.move(-1);
    if (token.text === '{') return this.braces();
    throw this.at.unexpected();
  }

  private braces(): Formula {
    return this.at.deeper(() => {
      this.at.expect('{');
      return this.enclosed('}', () => this.relation());
    });
  }

  private enclosed(close: string, read: () => Formula): Formula {
    const content = this.outsideBars(read);
    this.at.expect(close);
    return content;
  }

  private absolute(): Formula {
    this.bars += 1;
    const content = this.sum();
    this.bars -= 1;
    this.at.expect('|');
    return call('abs', content);
  }

  private outsideBars<T>(read: () => T): T {
    const bars = this.bars;
    this.bars = 0;
    const result = read();
    this.bars = bars;
    return result;
  }

  private tuple(open: Token & { kind: 'mark' }): Formula {
    this.tuples += 1;
    const content = this.outsideBars(() => this.list());
    this.tuples -= 1;
    const close = this.at.take();
    const interval = this.notation.intervals && content.kind === 'list' && content.entries.length === 2;
    const closes = interval ? [')', ']', '['] : open.text === ']' ? [] : [CLOSING[open.text]];
    if (close.kind !== 'mark' || !closes.includes(close.text)) {
      throw unreadable(`the bracket "${open.text}" (place ${open.at + 1}) is not closed by one of its kind`);
    }
    if (content.kind !== 'list') return content;
    return { kind: 'tuple', open: open.text, entries: content.entries, close: close.text };
  }

  private set(): Formula {
    if (this.at.accept('⟧')) return { kind: 'set', entries: [] };
    const content = this.enclosed('⟧', () => this.list());
    return { kind: 'set', entries: content.kind === 'list' ? content.entries : [content] };
  }
}

/** @throws NotationError for a derivative such as dy/dx, whose letters are not factors. */
function fraction(numerator: Formula, denominator: Formula): Formula {
  const isOverDx = denominator.kind === 'product' && beginsWithD(denominator) && denominator.factors.length === 2;
  if (isOverDx && beginsWithD(numerator)) throw unsupported('a derivative is not decided here');
  return { kind: 'quotient', numerator, denominator };
}

/** d, dy, d²y. */
function beginsWithD(formula: Formula): boolean {
  if (formula.kind === 'product') return beginsWithD(formula.factors[0]!);
  if (formula.kind === 'power') return beginsWithD(formula.base);
  return formula.kind === 'symbol' && formula.name === 'd';
}

function call(name: string, ...parameters: Formula[]): Formula {
  return { kind: 'call', name, arguments: parameters };
}

function isMinusOne(formula: Formula): boolean {
  return (
    formula.kind === 'negative' && formula.of.kind === 'number' && formula.of.whole === '1' && !formula.of.decimals
  );
}
