import type { SelectingCase } from '../support/selecting';

export const gridded: [SelectingCase, ...SelectingCase[]] = [
  {
    name: 'with a sign and a decimal point',
    type: 'gridded',
    question: {
      stimulus: 'What is 3.5 − 5?',
      options: { columns: 3, plus_minus_column: true, floating_decimal: true },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: '-1.5' } },
    chosen: [
      ['Column 1 of 4', '-'],
      ['Column 2 of 4', '1'],
      ['Column 3 of 4', '.'],
      ['Column 4 of 4', '5'],
    ],
    value: '-1.5',
    wrong: '1.5',
    tree: `
- heading "Question 1" [level=3]
- text: What is 3.5 − 5?
- group "What is 3.5 − 5?":
  - combobox "Column 1 of 4":
    - option [selected]
    - option "+"
    - option "-"
  - combobox "Column 2 of 4":
    - option [selected]
    - option "0"
    - option "1"
    - option "2"
    - option "3"
    - option "4"
    - option "5"
    - option "6"
    - option "7"
    - option "8"
    - option "9"
    - option "."
  - combobox "Column 3 of 4":
    - option [selected]
    - option "0"
    - option "1"
    - option "2"
    - option "3"
    - option "4"
    - option "5"
    - option "6"
    - option "7"
    - option "8"
    - option "9"
    - option "."
  - combobox "Column 4 of 4":
    - option [selected]
    - option "0"
    - option "1"
    - option "2"
    - option "3"
    - option "4"
    - option "5"
    - option "6"
    - option "7"
    - option "8"
    - option "9"
    - option "."
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: '-1.5' },
    marks: ['Incorrect', '-1.5'],
  },
];
