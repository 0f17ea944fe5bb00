import type { PlacingCase } from '../support/placing';

export const classification: [PlacingCase, ...PlacingCase[]] = [
  {
    name: 'two columns',
    type: 'classification',
    question: {
      stimulus: 'Sort the animals.',
      possible_responses: ['Bat', 'Penguin'],
      ui_style: { column_count: 2, column_titles: ['Mammals', 'Birds'] },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [[0], [1]] } },
    place: [
      ['Bat', 'Mammals'],
      ['Penguin', 'Birds'],
    ],
    value: [[0], [1]],
    wrong: [[1], [0]],
    tree: `
- heading "Question 1" [level=3]
- text: Sort the animals. Mammals
- group "Mammals":
  - 'button "Mammals: empty"'
- text: Birds
- group "Birds":
  - 'button "Birds: empty"'
- group "Possible answers":
  - button "Bat"
  - button "Penguin"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [[0], [1]] },
    marks: ['Incorrect', 'Mammals'],
  },
];
