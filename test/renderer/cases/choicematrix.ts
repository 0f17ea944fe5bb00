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
- radiogroup "Fish swim.":
  - text: Fish swim.
  - radio "True"
  - radio "False"
- radiogroup "Cows fly.":
  - text: Cows fly.
  - radio "True"
  - radio "False"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [[0], [1]] },
    marks: ['Incorrect', 'Missed'],
  },
];
