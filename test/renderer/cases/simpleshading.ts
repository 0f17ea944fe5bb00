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
    marks: ['button "Row 1, column 1 Incorrect"', 'button "Row 1, column 2 Missed"', 'text: Row 1, column 2'],
  },
  {
    name: 'as many as asked, with fixed and hidden cells over an image',
    type: 'simpleshading',
    question: {
      stimulus: 'Shade two.',
      canvas: {
        row_count: 2,
        column_count: 14,
        cell_width: 3,
        cell_height: 4,
        shaded: [[0, 0]],
        hidden: [[1, 13]],
        read_only_author_cells: true,
      },
      max_selection: 2,
      background_image: {
        src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='20'%3E%3Crect width='40' height='20' fill='%23fda'/%3E%3C/svg%3E",
        opacity: 0.5,
      },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: { method: 'byCount', value: 2 } } },
    press: ['Row 2, column 13', 'Row 1, column 2'],
    tooMany: 'Row 1, column 3',
    value: {
      method: 'byLocation',
      value: [
        [0, 1],
        [1, 12],
      ],
    },
    wrong: { method: 'byLocation', value: [[0, 3]] },
    tree: `
- heading "Question 1" [level=3]
- text: Shade two.
- paragraph: Choose at most 2.
- group "Shade two.":
  - img "Row 1, column 1, shaded"
  - button "Row 1, column 2"
  - button "Row 1, column 3"
  - button "Row 1, column 4"
  - button "Row 1, column 5"
  - button "Row 1, column 6"
  - button "Row 1, column 7"
  - button "Row 1, column 8"
  - button "Row 1, column 9"
  - button "Row 1, column 10"
  - button "Row 1, column 11"
  - button "Row 1, column 12"
  - button "Row 1, column 13"
  - button "Row 1, column 14"
  - button "Row 2, column 1"
  - button "Row 2, column 2"
  - button "Row 2, column 3"
  - button "Row 2, column 4"
  - button "Row 2, column 5"
  - button "Row 2, column 6"
  - button "Row 2, column 7"
  - button "Row 2, column 8"
  - button "Row 2, column 9"
  - button "Row 2, column 10"
  - button "Row 2, column 11"
  - button "Row 2, column 12"
  - button "Row 2, column 13"
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: { method: 'byCount', value: 2 } },
    marks: ['button "Row 1, column 4" [disabled] [pressed]', '2 cells'],
  },
];
