interface Mistake {
  from: number;
  to: number;
  /** Names its text in `json-texts`. */
  key:
    | 'ends_early'
    | 'comma_missing'
    | 'comma_extra'
    | 'colon_missing'
    | 'value_missing'
    | 'name_unquoted'
    | 'single_quotes'
    | 'comment'
    | 'word'
    | 'text_broken'
    | 'number'
    | 'unexpected';
}

const BLANKS = /[ \t\n\r]*/y;
const TEXT = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /(?:true|false|null)(?!\w)/y;
/** The part of the text that is marked as unexpected. */
const PIECE = /[\p{L}\p{N}_.+-]+|[^\n]/uy;
const LINE = /[^\n]*/y;

/** The next expected token. After `first` and `name-first`, the list or object may also end. */
type Expected = 'value' | 'first' | 'name' | 'name-first' | 'colon' | 'comma' | 'end';

/** The first mistake in a text as JSON; undefined for valid JSON. Messages of browsers do not name the mistake. */
export function mistakeIn(text: string): Mistake | undefined {
  if (isJson(text)) return undefined;
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  let comma = 0;
  const length = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  const marked = (key: Mistake['key'], pattern = PIECE): Mistake => ({
    from: at,
    to: at + Math.max(length(pattern), at < text.length ? 1 : 0),
    key,
  });
  const closed = (): Expected => {
    open.pop();
    return open.length === 0 ? 'end' : 'comma';
  };
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');
  const another = (next: string): Mistake => {
    if (next === "'") return marked('single_quotes');
    if (next === '/') return marked('comment', LINE);
    if (/[}\]]/.test(next) && text[comma] === ',' && text.slice(comma + 1, at).trim() === '')
      return { from: comma, to: comma + 1, key: 'comma_extra' };
    if (expected === 'colon') return marked('colon_missing');
    if (expected === 'comma') return marked(/[}\]]/.test(next) ? 'unexpected' : 'comma_missing');
    if (expected === 'end') return marked('unexpected');
    if (expected.startsWith('name')) return marked('name_unquoted');
    if (/[,}\]]/.test(next)) return marked('value_missing');
    if (/[\d.+-]/.test(next)) return marked('number');
    return marked(/\p{L}/u.test(next) ? 'word' : 'unexpected');
  };

  for (;;) {
    at += length(BLANKS);
    const next: string | undefined = text[at];
    if (next === undefined) return { from: Math.max(0, text.trimEnd().length - 1), to: text.length, key: 'ends_early' };
    const isValue: boolean = expected === 'value' || expected === 'first';
    const isName: boolean = expected === 'name' || expected === 'name-first';
    if (next === '"' && (isValue || isName)) {
      const read = length(TEXT);
      if (read === 0) return marked('text_broken', LINE);
      at += read;
      expected = isName ? 'colon' : afterValue();
    } else if (isValue && (next === '{' || next === '[')) {
      open.push(next);
      at++;
      expected = next === '{' ? 'name-first' : 'first';
    } else if (
      (next === '}' && open.at(-1) === '{' && (expected === 'name-first' || expected === 'comma')) ||
      (next === ']' && open.at(-1) === '[' && (expected === 'first' || expected === 'comma'))
    ) {
      at++;
      expected = closed();
    } else if (next === ':' && expected === 'colon') {
      at++;
      expected = 'value';
    } else if (next === ',' && expected === 'comma') {
      comma = at++;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else {
      const read = isValue ? length(NUMBER) || length(WORD) : 0;
      if (read === 0) return another(next);
      at += read;
      expected = afterValue();
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
