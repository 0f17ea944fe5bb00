import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '#kernel';
import { score, SCORED_TYPES, SCORING_TYPES } from '#scoring';
import { FORMULA_METHODS, matchFormula } from '../../libs/scoring/src/formula';
import { question } from './cases';

/* The examples of docs/scoring.md. */

const page = readFileSync(join(__dirname, '../../docs/scoring.md'), 'utf8');

/** The rows of all tables with these columns, without code marks, each with the heading above it. */
function rowsOf(...columns: string[]): { heading: string; cells: string[] }[] {
  let heading = '';
  let isWithin = false;
  const rows: { heading: string; cells: string[] }[] = [];
  for (const line of page.split('\n')) {
    heading = /^#+ (.*)/.exec(line)?.[1]?.replaceAll('`', '') ?? heading;
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1).map(plain) : [];
    if (isWithin && cells.length > 0 && !/^[-: ]+$/.test(cells[0]!)) rows.push({ heading, cells });
    isWithin = cells.length > 0 && (isWithin || cells.join() === columns.join());
  }
  return rows;
}

function plain(cell: string): string {
  return cell.trim().replace(/^`` ?|^`| ?``$|`$/g, '');
}

const json = (text: string): Json => (text === '–' ? {} : (JSON.parse(text) as Json));

/** Settings that a question has outside of its validation. */
const BESIDE = ['case_sensitive'];

describe('an example of docs/scoring.md', () => {
  const answers = rowsOf('Type', 'Right', 'Settings', 'Answer', 'Score');
  it.each(answers.map(({ cells }) => cells))('%s, right is %s, with %s: %s earns %s', (...cells) => {
    const [type = '', right = '', settings = '', answer = '', expected = ''] = cells;
    const all = Object.entries(json(settings) as JsonObject);
    const beside = Object.fromEntries(all.filter(([name]) => BESIDE.includes(name)));
    const validation = Object.fromEntries(all.filter(([name]) => !BESIDE.includes(name)));
    const result = score(question(type, json(right), validation, beside), { value: json(answer) });
    expect(`${result.score ?? 'none'} of ${result.maxScore}`).toBe(expected);
  });

  const formulas = rowsOf('Value', 'Options', 'Answer', 'Outcome');
  it.each(formulas.map(({ heading, cells }) => [heading, ...cells]))('%s of %s with %s: %s is %s', (...cells) => {
    const [method = '', value = '', options = '', answer = '', outcome = ''] = cells;
    const rule = { method, options: json(options), ...(value === '–' ? {} : { value }) };
    const { matches } = matchFormula(rule, answer);
    expect(matches === null ? 'undecided' : matches ? 'accepted' : 'refused').toBe(outcome);
  });

  it('exists for each scored type, and for each method with an accepted and a rejected answer', () => {
    expect(SCORED_TYPES.filter((type) => !answers.some(({ cells }) => cells[0] === type))).toEqual([]);
    expect(SCORING_TYPES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    for (const method of FORMULA_METHODS)
      for (const outcome of ['accepted', 'refused'])
        expect(formulas.some(({ heading, cells }) => heading === method && cells[3] === outcome)).toBe(true);
  });

  it('shows reasons that equal the reasons of the engine, except for the version', () => {
    const text = /```json\n(\{\n {2}"engine".*?)```/s.exec(page)?.[1] ?? '';
    const { engine, ...reasons } = JSON.parse(text) as JsonObject;
    const definition = question('clozetext', ['dagger', 'instrument', 'wax'], {
      score: 2,
      penalty: 1,
      scoring_type: 'partialMatch',
    });
    expect(typeof engine).toBe('string');
    expect(score(definition, { value: ['Dagger', null, 'wood'] }).reasons).toMatchObject(reasons);
  });
});
