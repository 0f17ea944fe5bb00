/**
 * The position of a JSON pointer's value in a JSON text. For a missing value, the position of the nearest enclosing
 * value.
 */
export function placeInJson(text: string, pointer: string): { from: number; to: number } {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = 0;
  const blanks = () => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const skipString = () => {
    at++;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at++;
  };
  const skipValue = () => {
    blanks();
    let depth = 0;
    do {
      const character = text[at];
      if (character === undefined) return;
      if (character === '"') {
        skipString();
        continue;
      }
      if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') depth--;
      at++;
    } while (depth > 0 || (at < text.length && !/[\s,\]}]/.test(text[at]!)));
  };
  blanks();
  let from = at;
  for (const part of path) {
    const isList = text[at] === '[';
    if (!isList && text[at] !== '{') break;
    at++;
    let found = false;
    for (let index = 0; at < text.length; index++) {
      blanks();
      if (text[at] === ']' || text[at] === '}' || text[at] === undefined) break;
      let name = String(index);
      if (!isList) {
        const start = at;
        skipString();
        name = stringOf(text.slice(start, at));
        blanks();
        at++;
        blanks();
      }
      if (name === part) {
        found = true;
        break;
      }
      skipValue();
      blanks();
      if (text[at] === ',') at++;
    }
    if (!found) break;
    from = at;
  }
  at = from;
  skipValue();
  return { from: Math.min(from, text.length), to: Math.min(Math.max(at, from), text.length) };
}

function stringOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}
