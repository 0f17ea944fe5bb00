import { type Json, type JsonObject } from '#kernel';
import { choicesOf, MAX_CHOICES, SCORED_TYPES } from '#scoring';

const valid = (value: Json) => ({ validation: { valid_response: { score: 1, value } } });
const offered = (type: string, question: JsonObject) =>
  choicesOf(type, { type, ...question })?.offered.map(({ place, key, label, isRight }) => [place, key, label, isRight]);
const chosen = (type: string, question: JsonObject, value: Json) =>
  choicesOf(type, { type, ...question })!
    .chosenIn(value)
    .map(({ place, key }) => [place, key]);

describe('the choices of a question', () => {
  it('mcq has its options in one place, by value and label', () => {
    const options: Json[] = [{ label: '<b>One</b>', value: '1' }, { value: '2' }, 'three'];
    const question = { options, ...valid(['2', 'three']) };
    expect(offered('mcq', question)).toEqual([
      [null, '1', '<b>One</b>', false],
      [null, '2', '2', true],
      [null, 'three', 'three', true],
    ]);
    expect(chosen('mcq', question, ['2', 1, '2', 'x'])).toEqual([
      [null, '2'],
      [null, '1'],
      [null, 'x'],
    ]);
  });

  it('the key is right whoever scores the question', () => {
    const options: Json[] = [{ value: '1' }, { value: '2' }];
    for (const scored of ['unscored', 'automarkable']) {
      const question = {
        options,
        validation: { [scored]: scored === 'unscored', valid_response: { score: 1, value: ['2'] } },
      };
      expect(offered('mcq', question)).toEqual([
        [null, '1', '1', false],
        [null, '2', '2', true],
      ]);
    }
  });

  it('choicematrix has each column in each row', () => {
    const question = { stems: ['s', 't'], options: ['True', 'False'], ...valid([0, [1]]) };
    expect(offered('choicematrix', question)).toEqual([
      [0, '0', 'True', true],
      [0, '1', 'False', false],
      [1, '0', 'True', false],
      [1, '1', 'False', true],
    ]);
    expect(chosen('choicematrix', question, [[1, 0], 1])).toEqual([
      [0, '1'],
      [0, '0'],
      [1, '1'],
    ]);
  });

  it('association and clozes with choices have each text in each place, right where it belongs', () => {
    for (const [type, places] of [
      ['association', { stimulus_list: ['s', 't'] }],
      ['clozeassociation', { template: '{{response}} {{response}}' }],
      ['imageclozeassociation', { response_positions: [{}, {}] }],
      ['imageclozeassociationV2', { response_positions: [{}, {}] }],
    ] as const) {
      const question = { ...places, possible_responses: ['x', 'y'], ...valid(['x', 'y']) } as unknown as JsonObject;
      expect(offered(type, question)).toEqual([
        [0, 'x', 'x', true],
        [0, 'y', 'y', false],
        [1, 'x', 'x', false],
        [1, 'y', 'y', true],
      ]);
      expect(chosen(type, question, [null, 'x'])).toEqual([[1, 'x']]);
    }
  });

  it('match_all_possible_responses makes a text of the pool right in every place', () => {
    const question = {
      template: '{{response}} {{response}}',
      possible_responses: ['x', 'y', 'z'],
      validation: { match_all_possible_responses: true, valid_response: { score: 1, value: ['x', 'y'] } },
    };
    expect(offered('clozeassociation', question)!.map(([, key, , isRight]) => [key, isRight])).toEqual([
      ['x', true],
      ['y', true],
      ['z', false],
      ['x', true],
      ['y', true],
      ['z', false],
    ]);
  });

  it('clozedropdown has the menu of each blank, also for texts without a menu', () => {
    const question = { possible_responses: [['x', 'y'], ['z']], ...valid(['y', 'z']) };
    expect(offered('clozedropdown', question)).toEqual([
      [0, 'x', 'x', false],
      [0, 'y', 'y', true],
      [1, 'z', 'z', true],
    ]);
  });

  it('orderlist and classification have positions, with the labels of the list', () => {
    expect(offered('orderlist', { list: ['a', 'b'], ...valid([1, 0]) })).toEqual([
      [0, '0', 'a', false],
      [0, '1', 'b', true],
      [1, '0', 'a', true],
      [1, '1', 'b', false],
    ]);
    const sorted = { possible_responses: ['a', 'b'], ui_style: { column_count: 2 }, ...valid([[0, 1], []]) };
    expect(offered('classification', sorted)).toEqual([
      [0, '0', 'a', true],
      [0, '1', 'b', true],
      [1, '0', 'a', false],
      [1, '1', 'b', false],
    ]);
    const grouped = {
      ...sorted,
      possible_responses: [
        { title: 'One', responses: ['a'] },
        { title: '', responses: ['b'] },
      ],
    };
    expect(offered('classification', grouped)).toEqual(offered('classification', sorted));
    expect(chosen('classification', sorted, [[1], [0]])).toEqual([
      [0, '1'],
      [1, '0'],
    ]);
  });

  it('hotspot has its areas', () => {
    expect(offered('hotspot', { areas: [{}, {}], ...valid(['1']) })).toEqual([
      [null, '0', '0', false],
      [null, '1', '1', true],
    ]);
  });

  it('data from before 2015 makes every choice right that a part accepts', () => {
    const question = { options: ['a', 'b', 'c'], multiple_responses: true, valid_responses: [[{ value: 'a' }], 'c'] };
    expect(offered('mcq', question as unknown as JsonObject)!.map(([, key, , isRight]) => [key, isRight])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
  });

  it('choices of alternate answers are right too', () => {
    const question = {
      options: ['a', 'b', 'c'],
      validation: { valid_response: { score: 1, value: ['a'] }, alt_responses: [{ score: 1, value: ['b'] }] },
    };
    expect(offered('mcq', question)!.map(([, , , isRight]) => isRight)).toEqual([true, true, false]);
  });

  it('a choice that is accepted for no points is right only when no choice gives points', () => {
    const marks = (validation: JsonObject) =>
      offered('mcq', { options: ['a', 'b', 'c'], multiple_responses: true, validation })!.map(
        ([, , , isRight]) => isRight,
      );
    const nothing = { score: 0, value: ['b'] };
    expect(marks({ valid_response: { score: 1, value: ['a'] }, alt_responses: [nothing] })).toEqual([
      true,
      false,
      false,
    ]);
    expect(marks({ valid_response: nothing })).toEqual([false, true, false]);
    const parts = [[{ value: 'b', score: 0 }], [{ value: 'a', score: 2 }]];
    expect(marks({ valid_responses: parts, partial_scoring: true })).toEqual([true, false, false]);
  });

  it('questions with free answers or too many choices have none', () => {
    for (const type of ['shorttext', 'clozetext', 'longtextV2', 'formulaV2', 'drawing', 'unheard-of'])
      expect(offered(type, { options: ['a'], possible_responses: ['a'] })).toBeUndefined();
    const many = Array.from({ length: MAX_CHOICES + 1 }, (_, index) => String(index));
    expect(offered('mcq', { options: many })).toBeUndefined();
    expect(offered('mcq', { options: many.slice(1) })).toHaveLength(MAX_CHOICES);
  });

  it('any JSON is read without an error', () => {
    const odd: Json[] = [null, 3, 'x', [], {}, [null, [1], { label: 4 }], { stems: 2 }];
    for (const type of SCORED_TYPES)
      for (const member of odd)
        for (const value of odd) {
          const names = ['options', 'stems', 'possible_responses', 'list', 'areas', 'stimulus_list', 'validation'];
          const question = Object.fromEntries(names.map((name) => [name, member]));
          const choices = choicesOf(type, { type, ...question });
          expect(choices?.chosenIn(value) ?? []).toBeInstanceOf(Array);
        }
  });
});
