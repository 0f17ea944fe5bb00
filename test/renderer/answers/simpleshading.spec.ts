import { attempted, shadedOf, valueOf } from '../../../libs/renderer/src/questions/simpleshading/answer';

describe('cells that the author has shaded', () => {
  const question = { canvas: { row_count: 2, column_count: 2, shaded: [[0, 0], '1,1', [0], 'x', [-1, 0]] } };

  it('are shaded at first, without counting as an answer', () => {
    expect(shadedOf(question, null)).toEqual(['0,0', '1,1']);
    expect(attempted(null)).toBe('not_attempted');
    expect(valueOf(question, ['1,1', '0,1', '0,0'])).toEqual({
      method: 'byLocation',
      value: [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
    });
  });

  it('stay unshaded after the learner has unshaded all of them', () => {
    const none = valueOf(question, []);
    expect(shadedOf(question, none)).toEqual([]);
    expect(attempted(none)).toBe('not_attempted');
  });

  it('are not part of the answer when the learner cannot change them', () => {
    const fixed = { canvas: { ...question.canvas, read_only_author_cells: true } };
    expect(shadedOf(fixed, null)).toEqual([]);
    expect(valueOf(fixed, [])).toBeNull();
  });
});
