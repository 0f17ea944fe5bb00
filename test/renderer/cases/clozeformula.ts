import type { TypingCase } from '../support/typing';

export const clozeformula: [TypingCase, ...TypingCase[]] = [
  {
    name: 'slope and intercept',
    type: 'clozeformula',
    question: { stimulus: 'The line.', template: '<p>y = {{response}}x + {{response}}</p>' },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: {
        score: 1,
        value: [[{ method: 'equivSymbolic', value: '2' }], [{ method: 'equivSymbolic', value: '1' }]],
      },
    },
    typed: [
      ['Blank 1 of 2', '2'],
      ['Blank 2 of 2', '1'],
    ],
    value: ['2', '1'],
    wrong: ['3', '1'],
    tree: `
- heading "Question 1" [level=3]
- text: The line.
- paragraph:
  - text: y =
  - textbox "Blank 1 of 2"
  - group "Symbols":
    - button "+"
    - button "-"
    - button "Times"
    - button "Divided by"
    - button "="
    - button "<"
    - button ">"
    - button "Less than or equal to"
    - button "Greater than or equal to"
    - button "Fraction"
    - button "Power"
    - button "Square root"
    - button "Pi"
    - button "Plus or minus"
    - button "Brackets"
  - text: x +
  - textbox "Blank 2 of 2"
  - group "Symbols":
    - button "+"
    - button "-"
    - button "Times"
    - button "Divided by"
    - button "="
    - button "<"
    - button ">"
    - button "Less than or equal to"
    - button "Greater than or equal to"
    - button "Fraction"
    - button "Power"
    - button "Square root"
    - button "Pi"
    - button "Plus or minus"
    - button "Brackets"
`,
    review: { score: 0, maxScore: 1, parts: [false, true], correct: [[{ value: '2' }], [{ value: '1' }]] },
    marks: ['Incorrect', 'Correct'],
  },
];
