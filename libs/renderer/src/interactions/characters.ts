import { html, type TemplateResult } from 'lit';
import { type CharacterKey, fill, type LabelKey } from '../labels';
import { characters as english } from '../labels/characters-en';
import { isTrue, listOf, textOf } from '../members';
import type { QuestionElement } from '../question-element';
import { moveInToolbar } from './toolbar';

/** The characters for `character_map: true`. */
export const COMMON = [...'áàâäãåæçéèêëíìîïñðóòôöõøœßúùûüýÿ¿¡€£°²³½×÷±≤≥≠', ...'ÁÀÂÄÃÅÆÇÉÈÊËÍÌÎÏÑÐÓÒÔÖÕØŒÚÙÛÜÝ'];

/** The characters of the mathematical map of essays. */
export const MATHEMATICAL = [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₀₁₂₃₄₅₆₇₈₉₊₋½⅓⅔¼¾⅕⅖⅗⅘⅙⅚', ...'−×÷·±=≠≈≡<>≤≥√∞∫∑Δαβθλμπσω∪∩∈∉⊂∅→⇒⇔∠°'];

/** @param map `character_map`: true, or the characters. */
export function charactersOf(map: unknown): readonly string[] {
  if (isTrue(map) || textOf(map) === '1') return COMMON;
  return listOf(map)
    .map((each) => textOf(each))
    .filter((each) => each !== '');
}

/** Buttons that insert characters. They are one tab stop. */
export function palette(
  host: QuestionElement,
  label: LabelKey,
  characters: readonly string[],
  insert: (character: string) => void,
): TemplateResult {
  const labels = { ...english, ...host.labels };
  return html`<div class="characters" role="toolbar" aria-label=${host.label(label)} @keydown=${moveInToolbar}>
    ${characters.map(
      (character, at) =>
        html`<button
          type="button"
          class="button"
          tabindex=${at === 0 ? 0 : -1}
          aria-label=${host.label('insert', namedIn(labels, character))}
          @mousedown=${(event: Event) => event.preventDefault()}
          @click=${() => insert(character)}
        >
          ${character}
        </button>`,
    )}
  </div>`;
}

type Names = Readonly<Record<CharacterKey, string>>;

const MARKS: Readonly<Record<string, CharacterKey>> = {
  '\u0300': 'letter_grave',
  '\u0301': 'letter_acute',
  '\u0302': 'letter_circumflex',
  '\u0303': 'letter_tilde',
  '\u0308': 'letter_diaeresis',
  '\u030A': 'letter_ring',
  '\u030C': 'letter_caron',
  '\u0327': 'letter_cedilla',
};
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ';
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₊₋';

/** A character and its name, because screen readers leave out many characters, or say similar ones alike. */
function namedIn(labels: Names, character: string): string {
  const name = nameIn(labels, character);
  return name === undefined ? character : `${character}, ${name}`;
}

function nameIn(labels: Names, character: string): string | undefined {
  const key = `sign_${character}`;
  if (Object.hasOwn(labels, key)) return labels[key as CharacterKey];
  const plain = character.normalize('NFKC');
  if (RAISED.includes(character)) return fill(labels.raised, [nameIn(labels, plain) ?? plain]);
  if (LOWERED.includes(character)) return fill(labels.lowered, [nameIn(labels, plain) ?? plain]);
  const [numerator, denominator] = plain.split('\u2044');
  if (denominator !== undefined) return fill(labels.fraction, [numerator!, denominator]);
  const small = character.toLowerCase();
  if (small !== character) {
    const name = nameIn(labels, small);
    return name === undefined ? undefined : fill(labels.capital, [name]);
  }
  const [letter, mark = '', ...others] = [...character.normalize('NFD')];
  const marked = others.length === 0 ? MARKS[mark] : undefined;
  return marked && fill(labels[marked], [letter!]);
}
