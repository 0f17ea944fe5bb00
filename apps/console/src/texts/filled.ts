export type Values = readonly (string | number)[];

/**
 * `{0}` is replaced by the first value. `{0:item|items}` is the first word for one, and the second one for any other
 * number. English and German need no further forms.
 */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\d+)(?::([^|}]*)\|([^}]*))?\}/g, (_, index: string, one?: string, other?: string) => {
    const value = String(values[Number(index)] ?? '');
    return one === undefined || other === undefined ? value : value === '1' ? one : other;
  });
