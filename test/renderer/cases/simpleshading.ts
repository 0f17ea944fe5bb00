import type { PressingCase } from '../support/pressing';

export const simpleshading: [PressingCase, ...PressingCase[]] = [
  {
    name: 'a row of three',
    type: 'simpleshading',
    question: { stimulus: 'Shade the middle.', canvas: { row_count: 1, column_count: 3 } },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: { method: 'byLocation', value: [[0, 1]] } },
    },
    press: ['Row 1, column 2'],
    value: { method: 'byLocation', value: [[0, 1]] },
    wrong: { method: 'byLocation', value: [[0, 0]] },
    tree: `
- heading "Question 1" [level=3]
- text: Shade the middle.
- group "Shade the middle.":
  - button "Row 1, column 1"
  - button "Row 1, column 2"
  - button "Row 1, column 3"
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: { method: 'byLocation', value: [[0, 1]] } },
    marks: ['Incorrect', 'Row 1, column 2'],
  },
];
