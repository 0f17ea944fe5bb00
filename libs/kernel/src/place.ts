/** A member name escaped for a JSON pointer (RFC 6901): `a/b` becomes `a~1b`. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A JSON pointer in the notation that people use: `/items/1/reference` becomes `items[1].reference`. */
export function place(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}
