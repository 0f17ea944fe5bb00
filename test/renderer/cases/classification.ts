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
- text: Sort the animals.
- table "Sort the animals.":
  - row "Mammals Birds":
    - columnheader "Mammals"
    - columnheader "Birds"
  - row "Mammals Birds":
    - cell "Mammals":
      - group "Mammals":
        - 'button "Mammals: empty"'
    - cell "Birds":
      - group "Birds":
        - 'button "Birds: empty"'
- group "Possible answers":
  - button "Bat"
  - button "Penguin"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [[0], [1]] },
    marks: ['Incorrect', 'Mammals'],
  },
  {
    name: 'rows with titles and a header',
    type: 'classification',
    question: {
      stimulus: 'Where does each belong?',
      possible_responses: ['Whale', 'Wolf', '<p>Shark</p>'],
      ui_style: {
        column_count: 2,
        column_titles: ['Water', 'Land'],
        row_count: 2,
        row_header: 'Class',
        row_titles: ['<b>Mammals</b>', 'Fish'],
        row_min_height: '100px',
        possibility_list_position: 'right',
        show_drag_handle: false,
      },
    },
    validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: [[0], [1], [2], []] } },
    place: [
      ['Whale', 'Mammals, Water'],
      ['Wolf', 'Mammals, Land'],
      ['Shark', 'Fish, Water'],
    ],
    value: [[0], [1], [2], []],
    wrong: [[], [0], [1], [2]],
    tree: `
- heading "Question 1" [level=3]
- text: Where does each belong?
- table "Where does each belong?":
  - row "Class Water Land":
    - columnheader "Class"
    - columnheader "Water"
    - columnheader "Land"
  - row "Mammals Mammals, Water Mammals, Land":
    - rowheader "Mammals"
    - cell "Mammals, Water":
      - group "Mammals, Water":
        - 'button "Mammals, Water: empty"'
    - cell "Mammals, Land":
      - group "Mammals, Land":
        - 'button "Mammals, Land: empty"'
  - row "Fish Fish, Water Fish, Land":
    - rowheader "Fish"
    - cell "Fish, Water":
      - group "Fish, Water":
        - 'button "Fish, Water: empty"'
    - cell "Fish, Land":
      - group "Fish, Land":
        - 'button "Fish, Land: empty"'
- group "Possible answers":
  - button "Whale"
  - button "Wolf"
  - button "Shark":
    - paragraph: Shark
`,
    review: { score: 0, maxScore: 3, parts: [null, false, false, false], correct: [[0], [1], [2], []] },
    marks: ['Incorrect', 'Missed', 'Mammals, Water: Whale'],
  },
  {
    name: 'groups of responses that may be used again, two in a cell, cells without titles',
    type: 'classification',
    question: {
      stimulus: 'Which numbers belong together?',
      group_possible_responses: true,
      possible_responses: [
        { title: 'Small', responses: ['1', '2'] },
        { title: 'Large', responses: ['100'] },
      ],
      duplicate_responses: true,
      max_response_per_cell: 2,
      ui_style: { column_count: 2, possibility_list_position: 'top' },
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: {
        score: 1,
        value: [
          [0, 2],
          [1, 2],
        ],
      },
    },
    place: [
      ['1', 'Cell 1 of 2'],
      ['100', 'Cell 1 of 2'],
      ['2', 'Cell 2 of 2'],
      ['100', 'Cell 2 of 2'],
    ],
    full: ['2', 'Cell 1 of 2'],
    value: [
      [0, 2],
      [1, 2],
    ],
    wrong: [[1], [0]],
    tree: `
- heading "Question 1" [level=3]
- text: Which numbers belong together?
- group "Cell 1 of 2":
  - 'button "Cell 1 of 2: empty"'
- group "Cell 2 of 2":
  - 'button "Cell 2 of 2: empty"'
- group "Possible answers":
  - text: Small
  - button "1"
  - button "2"
  - text: Large
  - button "100"
`,
    review: {
      score: 0,
      maxScore: 1,
      parts: [false, false],
      correct: [
        [0, 2],
        [1, 2],
      ],
    },
    marks: ['Incorrect', 'Cell 1 of 2: 1, 100'],
  },
];
