import { type Area, type Mapping, type OutcomeDeclaration, type ResponseDeclaration } from './declarations';
import { type Value, valueOf } from './values';

/** Thrown when the rules of the item use something that is not supported here. The message names it. */
export class Unsupported extends Error {}

/** Texts of a response by the identifier of its declaration. */
export type Responses = ReadonlyMap<string, readonly string[]>;

/** The values of the variables while the rules run. */
export interface State {
  responses: ReadonlyMap<string, ResponseDeclaration>;
  outcomes: ReadonlyMap<string, OutcomeDeclaration>;
  given: Responses;
  values: Map<string, Value | null>;
}

/** The value of a response; null when it is empty. */
export function responseValue({ responses, given }: State, identifier: string): Value | null {
  const { cardinality, baseType } = responses.get(identifier)!;
  if (cardinality === 'record' || baseType === 'file') throw new Unsupported(`a response of the type ${baseType}`);
  return valueOf(cardinality, baseType, given.get(identifier) ?? []);
}

export function mapResponse({ identifier, mapping, baseType }: ResponseDeclaration, value: Value): number {
  if (!mapping) throw new Unsupported(`mapResponse without a mapping of ${identifier}`);
  const items = [...new Set(value.items)];
  return bounded(
    items.reduce<number>((sum, item) => sum + mapped(mapping, baseType, item), 0),
    mapping,
  );
}

function mapped({ entries, defaultValue }: Mapping, baseType: string, item: string | number | boolean): number {
  const found = entries.find(({ key, caseSensitive }) => {
    const wanted = valueOf('single', baseType, [key])?.items[0];
    if (wanted === item) return true;
    // If the file does not say it, most programs ignore case.
    return baseType === 'string' && caseSensitive !== true && key.toLowerCase() === String(item).toLowerCase();
  });
  return found?.value ?? defaultValue;
}

export function mapPoint({ identifier, areaMapping }: ResponseDeclaration, value: Value): number {
  if (!areaMapping) throw new Unsupported(`mapResponsePoint without areas of ${identifier}`);
  const used = new Set<Area>();
  let sum = 0;
  for (const item of value.items) {
    const [x, y] = String(item).split(' ').map(Number);
    const area = areaMapping.areas.find((candidate) => isInside(candidate, x!, y!));
    if (!area) sum += areaMapping.defaultValue;
    else if (!used.has(area)) sum += area.value;
    if (area) used.add(area);
  }
  return bounded(sum, areaMapping);
}

function isInside({ shape, coords }: Area, x: number, y: number): boolean {
  const [a, b, c, d] = coords as [number, number, number, number];
  if (shape === 'circle') return (x - a) ** 2 + (y - b) ** 2 <= c ** 2;
  if (shape === 'rect') return x >= a && x <= c && y >= b && y <= d;
  if (shape === 'ellipse') return ((x - a) / c) ** 2 + ((y - b) / d) ** 2 <= 1;
  if (shape !== 'poly') return shape === 'default';
  let inside = false;
  for (let i = 0, j = coords.length - 2; i < coords.length; j = i, i += 2) {
    const [xi, yi, xj, yj] = [coords[i]!, coords[i + 1]!, coords[j]!, coords[j + 1]!];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

const bounded = (sum: number, { lowerBound = -Infinity, upperBound = Infinity }: Mapping): number =>
  Math.min(Math.max(sum, lowerBound), upperBound);
