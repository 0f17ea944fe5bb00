import { countValidParts } from './valid-response';

describe('the count of valid parts', () => {
  it.each([
    ['the chosen options of an mcq', 'mcq', {}, 2],
    ['nothing, if the question is unscored', 'mcq', { unscored: true }, 0],
    ['nothing, if a person scores the question', 'mcq', { automarkable: false }, 0],
  ])('counts %s, as in the templates that were given out', (_what, type, more, count) => {
    const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['a', 'b'] }, ...more };
    expect(countValidParts({ type, multiple_responses: true, validation })).toBe(count);
  });
});
