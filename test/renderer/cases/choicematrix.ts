import type { MatrixCase } from '../support/matrix';

export const choicematrix: [MatrixCase, ...MatrixCase[]] = [
  {
    name: 'true or false',
    type: 'choicematrix',
    question: {
      stimulus: 'True or false?',
      stems: ['Fish swim.', 'Cows fly.'],
      options: ['True', 'False'],
      ui_style: { stem_numeration: 'lower-alpha' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [[0], [1]] } },
    role: 'radio',
    choose: [
      ['a. Fish swim.', 'True'],
      ['b. Cows fly.', 'False'],
    ],
    value: [[0], [1]],
    wrong: [[1], [0]],
    tree: `
- heading "Question 1" [level=3]
- text: True or false?
- radiogroup "a. Fish swim.":
  - text: a. Fish swim.
  - radio "True"
  - radio "False"
- radiogroup "b. Cows fly.":
  - text: b. Cows fly.
  - radio "True"
  - radio "False"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [[0], [1]] },
    marks: ['Incorrect', 'Missed'],
  },
  {
    name: 'several of each row of a table with titles, widths and lines, in an order to show',
    type: 'choicematrix',
    question: {
      stimulus: 'What divides these numbers?',
      stems: ['<p>9</p>', '10', '\\(2^2\\)'],
      options: ['2', '3', '<em>5</em>'],
      multiple_responses: 'true',
      ui_style: {
        type: 'table',
        stem_title: 'Number',
        option_row_title: 'Divided by',
        stem_numeration: 'upper-alpha',
        stem_width: '200px',
        option_width: '96px',
        horizontal_lines: true,
      },
      presented_order: { stems: [2, 0, 1] },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [[1], [0, 2], [0]] } },
    role: 'checkbox',
    choose: [
      ['A. 2^2', '2'],
      ['B. 9', '3'],
      ['C. 10', '2'],
      ['C. 10', '5'],
    ],
    value: [[1], [0, 2], [0]],
    wrong: [[0, 1], [0], [1]],
    tree: `
- heading "Question 1" [level=3]
- text: What divides these numbers? Number Divided by
- group "A. 2^2":
  - text: A.
  - math "2^2": 2 2
  - checkbox "2"
  - checkbox "3"
  - checkbox "5"
- group "B. 9":
  - text: B.
  - paragraph: "9"
  - checkbox "2"
  - checkbox "3"
  - checkbox "5"
- group "C. 10":
  - text: C. 10
  - checkbox "2"
  - checkbox "3"
  - checkbox "5"
`,
    review: {
      score: 0,
      maxScore: 1,
      parts: [false, false, false],
      correct: [[1], [0, 2], [0]],
      responseRationale: ['Three threes are nine.', null, 'Two twos are four.'],
    },
    marks: [
      'Incorrect',
      'Missed',
      // In the order of the page: four, nine, ten.
      `- list:
  - listitem: "2"
  - listitem: "3"
  - listitem:
    - text: 2,
    - emphasis: "5"`,
      `- list:
  - listitem: Two twos are four.
  - listitem: Three threes are nine.`,
    ],
  },
  {
    name: 'one of each row, with the options in the rows',
    type: 'choicematrix',
    question: {
      stems: ['The sky', 'Grass'],
      options: ['blue', 'green', 'of no colour at all, whatever the light may be'],
      ui_style: { type: 'inline', stem_title: 'Thing', option_row_title: 'Colour', stem_numeration: 'number' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [[0], [1]] } },
    role: 'radio',
    choose: [
      ['1. The sky', 'blue'],
      ['2. Grass', 'green'],
    ],
    value: [[0], [1]],
    wrong: [[1], [2]],
    tree: `
- heading "Question 1" [level=3]
- text: Thing Colour
- radiogroup "1. The sky":
  - text: 1. The sky
  - radio "blue"
  - radio "green"
  - radio "of no colour at all, whatever the light may be"
- radiogroup "2. Grass":
  - text: 2. Grass
  - radio "blue"
  - radio "green"
  - radio "of no colour at all, whatever the light may be"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [[0], [1]] },
    marks: ['Incorrect', 'Missed', 'blue'],
  },
];
