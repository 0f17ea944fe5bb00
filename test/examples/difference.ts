/** A place at which the returned value differs from the sent one. `undefined` means absent. */
export interface Difference {
  /** `data.options[1].label` */
  place: string;
  sent: unknown;
  read: unknown;
}

/** Every place at which two JSON values differ. The order of members is ignored. */
export function differences(sent: unknown, read: unknown, place: string): Difference[] {
  if (sent === read) return [];
  if (Array.isArray(sent) && Array.isArray(read)) {
    const length = Math.max(sent.length, read.length);
    return Array.from({ length }, (_, index) => differences(sent[index], read[index], `${place}[${index}]`)).flat();
  }
  if (isRecord(sent) && isRecord(read)) {
    const names = new Set([...Object.keys(sent), ...Object.keys(read)]);
    return [...names].flatMap((name) =>
      differences(member(sent, name), member(read, name), place === '' ? name : `${place}.${name}`),
    );
  }
  return [{ place, sent, read }];
}

export function spell({ place, sent, read }: Difference): string {
  return `${place} was ${text(sent)}, read back as ${text(read)}`;
}

function text(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads own members only: `constructor` is one only if it was sent. */
function member(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
