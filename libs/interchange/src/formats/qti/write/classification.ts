import { type Json } from '#kernel';
import { type Answer, type Compared, comparedSet, keyOf } from './compared';
import { identifiers } from './choices';
import { type Expressions } from './expressions';
import { dragged, POOL, timesOf } from './placing';
import { entriesOf, isTrue, type KnownType, listOf, numberOf, objectOf, type QuestionWriter, range } from './question';

const classification: QuestionWriter = (data, validation, context) => {
  const { v, e, html } = context;
  const style = objectOf(data.ui_style);
  const columns = numberOf(style.column_count) ?? listOf(style.column_titles).length;
  const rows = numberOf(style.row_count) ?? 1;
  if (!Number.isInteger(columns * rows) || columns * rows < 1 || columns * rows > 100) return undefined;
  const cells = identifiers('CELL', columns * rows);
  const responses = dragged(data, context);
  if (rows > 1) context.note('layout-approximated', 'the cells of the table as a list');
  if (validation.answers.some(({ parts }) => parts)) return undefined;
  const identifier = context.variable();
  const pair = (cell: number, key: string): string[] =>
    /^\d+$/.test(key) && cells[cell] && responses[Number(key)] ? [`${responses[Number(key)]!.id} ${cells[cell]}`] : [];
  const keysOf = (value: Json): string[][] =>
    entriesOf(value).map((cell) => entriesOf(cell).flatMap((entry) => keyOf(entry) ?? []));
  const wanted = validation.answers.map(({ score, value }) => ({ score, cells: keysOf(value) }));
  const isUnclear = wanted.some((answer) =>
    answer.cells.some((keys) => new Set(keys).size < keys.length || keys.some((key) => pair(0, key).length === 0)),
  );
  if (isUnclear || responses.length === 0 || wanted.some((answer) => answer.cells.length > cells.length))
    return undefined;
  const byElement = validation.scoringType.startsWith('partialMatchElement');
  const titles = range(columns * rows).map((at) =>
    [listOf(style.row_titles)[Math.floor(at / columns)], listOf(style.column_titles)[at % columns]]
      .map((title) => html(title))
      .filter(Boolean)
      .join(' – '),
  );
  const pairs = wanted.map((answer) => ({
    score: answer.score,
    parts: answer.cells.flatMap((keys, cell) => keys.map((key) => ({ values: pair(cell, key) }))),
  }));
  const compared = comparedSet(e, { identifier, baseType: 'directedPair' }, pairs);
  return {
    body: v.element(
      'matchInteraction',
      { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: 0 },
      v.element(
        'simpleMatchSet',
        {},
        ...responses.map(({ id, html: text }) =>
          v.element('simpleAssociableChoice', { identifier: id, matchMax: timesOf(data) }, text),
        ),
      ),
      v.element(
        'simpleMatchSet',
        {},
        ...cells.map((id, at) =>
          v.element(
            'simpleAssociableChoice',
            { identifier: id, matchMax: numberOf(data.max_response_per_cell) ?? 0 },
            titles[at] || String(at + 1),
          ),
        ),
      ),
    ),
    variables: [
      {
        identifier,
        cardinality: 'multiple',
        baseType: 'directedPair',
        correct: keysOf(context.right).flatMap((keys, cell) => keys.flatMap((key) => pair(cell, key))),
      },
    ],
    compared: byElement ? compared : byCell(e, identifier, cells, responses, wanted, compared),
  };
};

/** Compares cell by cell. A cell is right when it holds exactly the right responses. */
function byCell(
  e: Expressions,
  identifier: string,
  cells: readonly string[],
  responses: readonly { id: string }[],
  wanted: readonly { score: number; cells: readonly (readonly string[])[] }[],
  byElement: Compared,
): Compared {
  const response = e.variable(identifier);
  const holds = (cell: string, id: string): string => e.member(e.base('directedPair', `${id} ${cell}`), response);
  const filled = cells.map((cell) =>
    e.and([e.not(e.isNull(response)), e.or(responses.map(({ id }) => holds(cell, id)))]),
  );
  return {
    isAttempted: byElement.isAttempted,
    given: { tests: filled },
    answers: wanted.map((answer, nth): Answer => {
      const parts = answer.cells.flatMap((keys, at) => {
        if (keys.length === 0) return [];
        const tests = responses.map(({ id }, place) => {
          const isIn = holds(cells[at]!, id);
          return keys.includes(String(place)) ? isIn : e.not(isIn);
        });
        return [{ isRight: e.and([filled[at]!, ...tests]), values: [], at }];
      });
      const empty = cells.flatMap((_, at) => ((answer.cells[at] ?? []).length === 0 ? e.not(filled[at]!) : []));
      return {
        score: answer.score,
        parts,
        total: parts.length,
        isExact: byElement.answers[nth]!.isExact,
        isHarmless: e.and([...parts.map(({ isRight, at }) => e.or([isRight, e.not(filled[at]!)])), ...empty]),
        ...(byElement.answers[nth]!.value && { value: byElement.answers[nth]!.value }),
      };
    }),
    ...(byElement.variable && { variable: byElement.variable }),
  };
}

export const CLASSIFICATION: Readonly<Record<string, KnownType>> = {
  classification: { write: classification, members: [...POOL, 'max_response_per_cell'] },
};
