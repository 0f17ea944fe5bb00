/** The name of a member as a part of a JSON pointer (RFC 6901): `a/b` is `a~1b`. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A JSON pointer as people write places: `/items/1/reference` is `items[1].reference`. */
export function place(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}
