import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SCORED_TYPES } from '#scoring';
import {
  FEATURE_TYPES as FEATURES,
  QUESTION_TYPES as QUESTIONS,
  typeNameIn,
} from '../../apps/console/src/texts/type-names';
import { FEATURE_TYPES } from '../../libs/content/src/application/question-lint';
import { de } from '../../libs/renderer/src/labels/de';
import { en } from '../../libs/renderer/src/labels/en';
import { MANUAL } from '../../libs/scoring/src/question-types';

/** The renderer is code for browsers, so its table is read as a text. */
const registry = readFileSync(resolve(__dirname, '../../libs/renderer/src/registry.ts'), 'utf8');
const shown = [...registry.matchAll(/^ {2}(\w+): \(\) => import/gm)].map(([, type]) => type!);

const questionTypes = [...SCORED_TYPES, ...MANUAL];

describe('the names of types', () => {
  it('exist in the console for all types that the service knows, and for no others', () => {
    expect(Object.keys(QUESTIONS).sort()).toEqual(questionTypes.sort());
    expect(Object.keys(FEATURES).sort()).toEqual([...FEATURE_TYPES].sort());
  });

  it.each(['en', 'de'] as const)('has no name twice in the language %s', (language) => {
    const names = Object.values({ ...QUESTIONS, ...FEATURES }).map((each) => each[language]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.trim() === '')).toEqual([]);
  });

  it('leave an unknown type as it is', () => {
    expect(typeNameIn('de', 'custom')).toBe('custom');
    expect(typeNameIn('en', 'constructor')).toBe('constructor');
  });

  it.each([
    ['English', en],
    ['German', de],
  ])('exist for learners in %s for all types that cannot be shown', (_, labels) => {
    const hidden = questionTypes.filter((type) => !shown.includes(type));
    expect(shown).toContain('mcq');
    expect(hidden).toContain('drawing');
    expect(hidden.filter((type) => !Object.hasOwn(labels, `type_${type}`))).toEqual([]);
  });
});
