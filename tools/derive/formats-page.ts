import { COVERAGE, type Levels } from '#interchange';
import { SCORED_TYPES } from '#scoring';
import { table } from '../../apps/api/src/declaration/describe/markdown';

/** The page of what formats read and write, in Markdown. */
export function formatsPage(): string {
  const written = COVERAGE.flatMap(({ format, written }) => (written ? [{ format, levels: written }] : []));
  const types = [...new Set([...SCORED_TYPES, ...written.flatMap(({ levels }) => Object.keys(levels))])].sort();
  return `${[
    '<!-- Derived from the tables of libs/interchange/src/formats by `npm run derive`. -->',
    '# Formats and types',
    '[Imports and exports](moving-in.md) convert each kind of question in one of three ways. *exact*: its usual scoring gives the same points for ' +
      'every response. *approximate*: another kind takes its place, a person scores it, or some responses get other points; a note says so. *not*: it is left out, with a note. Notes ' +
      'list the differences of each question. [NDJSON](ndjson.md) keeps everything, both ways.',
    '## Out: types here',
    table(
      ['Type', ...written.map(({ format }) => format)],
      types.map((type) => [`\`${type}\``, ...written.map(({ levels }) => levels[type] ?? 'not')]),
    ),
    '## In: kinds of the source',
    ...COVERAGE.flatMap(({ format, read }) => [`### ${format}`, kinds(read)]),
  ].join('\n\n')}\n`;
}

const kinds = (levels: Levels): string =>
  table(
    ['Kind', 'Here'],
    Object.entries(levels)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([kind, level]) => [`\`${kind}\``, level]),
  );
