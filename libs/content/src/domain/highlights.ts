import { indexedTerm, isIndexedAs, type Term, type Word, wordsOf } from './search-words';

/** A part of a snippet, and whether it matches the search. */
interface Part {
  text: string;
  match: boolean;
}

/** A text to search in, and the record to which it belongs. */
export interface Source {
  kind: 'item' | 'question' | 'feature';
  reference: string;
  text: string;
}

/** A snippet of a text with the matches in it. */
export interface Highlight extends Omit<Source, 'text'> {
  parts: Part[];
}

const MAX_HIGHLIGHTS = 3;
/** The number of characters before the first match, and in the whole snippet. */
const LEAD = 40;
const LENGTH = 160;

/**
 * Up to three snippets. Each shows the first place of a term that no other snippet shows. `isComplete`: further sources
 * would add no snippet, or only for terms in the reference of the first source.
 */
export function highlightsIn(
  sources: readonly Source[],
  terms: readonly Term[],
): { highlights: Highlight[]; isComplete: boolean } {
  const wanted = terms.map(indexedTerm);
  const missing = new Set(wanted);
  const highlights: Highlight[] = [];
  for (const { kind, reference, text } of sources) {
    if (highlights.length === MAX_HIGHLIGHTS || missing.size === 0) break;
    const words = wordsOf(text);
    const found = matchesOf(wanted, words).sort((a, b) => a.start - b.start);
    for (let done = 0; highlights.length < MAX_HIGHLIGHTS;) {
      const first = found.find(({ start, term }) => start >= done && missing.has(term));
      if (!first) break;
      const from = words.find(({ start }) => start >= Math.max(done, first.start - LEAD))!.start;
      const last = words.findLast(({ end }) => end <= from + LENGTH);
      done = Math.max(last?.end ?? 0, first.end);
      const shown = found.filter((match) => match.start >= from && match.end <= done);
      for (const { term } of shown) missing.delete(term);
      highlights.push({ kind, reference, parts: partsOf(text, from, done, shown) });
    }
  }
  if (highlights.length === MAX_HIGHLIGHTS || missing.size === 0) return { highlights, isComplete: true };
  const inReference = new Set(matchesOf([...missing], wordsOf(sources[0]?.reference ?? '')).map(({ term }) => term));
  return { highlights, isComplete: inReference.size === missing.size };
}

interface Match {
  start: number;
  end: number;
  term: Term;
}

function matchesOf(terms: readonly Term[], words: readonly Word[]): Match[] {
  const matches: Match[] = [];
  for (const term of terms) {
    const { length } = term.words;
    for (let at = 0; at + length <= words.length; at++) {
      const isHere = term.words.every((word, index) => isIndexedAs(words[at + index]!, word, term.isPrefix));
      if (isHere) matches.push({ start: words[at]!.start, end: words[at + length - 1]!.end, term });
    }
  }
  return matches;
}

function partsOf(text: string, from: number, to: number, matches: readonly Match[]): Part[] {
  const parts: Part[] = [];
  let done = from;
  const add = (until: number, match: boolean): void => {
    const part = text.slice(done, until).replaceAll('\n', ' ');
    if (until > done) parts.push({ text: part, match });
    done = Math.max(done, until);
  };
  for (const { start, end } of matches) {
    if (end <= done) continue;
    add(Math.max(start, done), false);
    add(end, true);
  }
  add(to, false);
  return parts;
}
