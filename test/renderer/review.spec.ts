import type { JsonObject } from '#kernel';
import { questionPage } from './support/suite';

const IMAGE = { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', alt: 'Map' };
const SPOTS = [
  { x: 10, y: 10 },
  { x: 60, y: 60 },
];
const AREA = [
  { x: 0, y: 0 },
  { x: 20, y: 0 },
  { x: 20, y: 20 },
];

describe('the review of an answer with full marks', () => {
  const page = questionPage();
  const full = { score: 1, maxScore: 1 };

  it.each<[type: string, question: JsonObject, value: never[], correct: never[], parts: (boolean | null)[]]>([
    ['mcq', { options: ['a', 'b'] }, ['0'] as never[], ['1'] as never[], [true]],
    [
      'choicematrix',
      { stems: ['x', 'y'], options: ['a', 'b'] },
      [[1], [0]] as never[],
      [[0], [0]] as never[],
      [true, true],
    ],
    [
      'hotspot',
      { image: { source: IMAGE.src, alt: 'Map' }, areas: [AREA, AREA] },
      ['0'] as never[],
      ['1'] as never[],
      [true],
    ],
    ['tokenhighlight', { template: 'one two', tokenization: 'word' }, [0] as never[], [1] as never[], [true]],
    [
      'clozetext',
      { template: '{{response}} {{response}}' },
      ['a', null] as never[],
      ['b', 'c'] as never[],
      [true, null],
    ],
    [
      'imageclozeassociationV2',
      { image: IMAGE, response_positions: SPOTS, possible_responses: ['a', 'b'] },
      [['a'], []] as never[],
      [['a'], []] as never[],
      [true, null],
    ],
    [
      'classification',
      { possible_responses: ['a', 'b'], ui_style: { column_count: 2 } },
      [[0], []] as never[],
      [[], [0]] as never[],
      [true, null],
    ],
  ])(
    'shows nothing as missed or incorrect, although the shown right answer differs: %s',
    async (type, question, value, correct, parts) => {
      await page.show({
        type,
        question: { type, ...question },
        value,
        mode: 'review',
        review: { ...full, parts, correct },
      });
      const tree = await page.tree();
      expect(tree).toContain('Correct');
      expect(tree).not.toMatch(/Missed|Incorrect/);
    },
  );

  it('shows an empty place as missed only if a response belongs there', async () => {
    const question = {
      type: 'imageclozeassociationV2',
      image: IMAGE,
      response_positions: SPOTS,
      possible_responses: ['a', 'b'],
    };
    const shown = { type: question.type, question, value: null, mode: 'review' as const };
    await page.show({ ...shown, review: { score: 0, maxScore: 1, parts: [null, null], correct: [['a'], []] } });
    const place = (name: string) => page.question.getByRole('group', { name, exact: true });
    expect(await place('Blank 1 of 2').innerText()).toContain('Missed');
    expect(await place('Blank 2 of 2').innerText()).not.toContain('Missed');
  });

  it('begins its headings at the same side for a number line as for other types', async () => {
    const question = { type: 'numberline', line: { min: 0, max: 2 }, points: ['a'] };
    const correct = [{ point: 'a', position: '1' }];
    await page.show({
      type: question.type,
      question,
      value: [{ point: 'a', position: '2' }],
      mode: 'review',
      review: { score: 0, maxScore: 1, parts: [false], correct },
    });
    const alignment = (selector: string) =>
      page.page.evaluate<string>(
        `getComputedStyle(document.querySelector('#shown').renderRoot.querySelector('${selector}')).textAlign`,
      );
    expect(await alignment('.review .title')).toBe(await alignment('.review'));
  });
});
