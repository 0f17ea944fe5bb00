import { type XmlElement } from '../xml';
import { allOf, attr, firstOf, isTrue, numberAttr } from './names';

interface MapEntry {
  key: string;
  value: number;
  /** Undefined if the file does not say it; then programs differ. */
  caseSensitive: boolean | undefined;
}

export interface Mapping {
  defaultValue: number;
  lowerBound: number | undefined;
  upperBound: number | undefined;
  entries: MapEntry[];
}

export interface Area {
  shape: string;
  coords: number[];
}

/** A variable that holds a response. */
export interface ResponseDeclaration {
  identifier: string;
  cardinality: string;
  baseType: string;
  element: XmlElement;
  /** The values before the learner answers; mostly none. */
  defaultValue: string[];
  /** The right values; empty when there is no key. */
  correct: string[];
  mapping: Mapping | undefined;
  areaMapping: (Mapping & { areas: (Area & { value: number })[] }) | undefined;
}

export interface OutcomeDeclaration {
  identifier: string;
  cardinality: string;
  baseType: string;
  defaultValue: string[];
  normalMaximum: number | undefined;
  /** The table of `lookupOutcomeValue`; undefined when there is none. */
  table: XmlElement | undefined;
}

const valuesIn = (element: XmlElement | undefined): string[] =>
  element ? allOf(element, 'value').map(({ text }) => text.trim()) : [];

export function responseDeclarations(item: XmlElement): Map<string, ResponseDeclaration> {
  const all = allOf(item, 'responseDeclaration').map((element): ResponseDeclaration => {
    const mapping = firstOf(element, 'mapping');
    const areas = firstOf(element, 'areaMapping');
    return {
      identifier: attr(element, 'identifier') ?? '',
      cardinality: attr(element, 'cardinality') ?? 'single',
      baseType: attr(element, 'baseType') ?? 'identifier',
      element,
      defaultValue: valuesIn(firstOf(element, 'defaultValue')),
      correct: valuesIn(firstOf(element, 'correctResponse')),
      mapping: mapping && { ...boundsOf(mapping), entries: allOf(mapping, 'mapEntry').map(mapEntry) },
      areaMapping: areas && {
        ...boundsOf(areas),
        entries: [],
        areas: allOf(areas, 'areaMapEntry').map((entry) => ({
          ...areaOf(entry),
          value: numberAttr(entry, 'mappedValue') ?? 0,
        })),
      },
    };
  });
  return new Map(all.map((declaration) => [declaration.identifier, declaration]));
}

export function outcomeDeclarations(item: XmlElement): Map<string, OutcomeDeclaration> {
  const all = allOf(item, 'outcomeDeclaration').map((element): OutcomeDeclaration => ({
    identifier: attr(element, 'identifier') ?? '',
    cardinality: attr(element, 'cardinality') ?? 'single',
    baseType: attr(element, 'baseType') ?? 'float',
    defaultValue: valuesIn(firstOf(element, 'defaultValue')),
    normalMaximum: numberAttr(element, 'normalMaximum'),
    table: firstOf(element, 'matchTable') ?? firstOf(element, 'interpolationTable'),
  }));
  return new Map(all.map((declaration) => [declaration.identifier, declaration]));
}

export const areaOf = (element: XmlElement): Area => ({
  shape: attr(element, 'shape') ?? 'default',
  coords: (attr(element, 'coords') ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number),
});

function boundsOf(element: XmlElement): Pick<Mapping, 'defaultValue' | 'lowerBound' | 'upperBound'> {
  return {
    defaultValue: numberAttr(element, 'defaultValue') ?? 0,
    lowerBound: numberAttr(element, 'lowerBound'),
    upperBound: numberAttr(element, 'upperBound'),
  };
}

function mapEntry(element: XmlElement): MapEntry {
  return {
    key: attr(element, 'mapKey') ?? '',
    value: numberAttr(element, 'mappedValue') ?? 0,
    caseSensitive: attr(element, 'caseSensitive') === undefined ? undefined : isTrue(element, 'caseSensitive'),
  };
}
