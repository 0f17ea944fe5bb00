/** A member name escaped for a JSON pointer (RFC 6901): `a/b` becomes `a~1b`. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The member names in a JSON pointer: `/a~1b/0` has `a/b` and `0`. */
export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A JSON pointer in the notation that people use: `/items/1/reference` becomes `items[1].reference`. */
export function place(pointer: string): string {
  return pointerNames(pointer)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}
