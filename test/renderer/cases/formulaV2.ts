import type { TypingCase } from '../support/typing';

export const formulaV2: [TypingCase, ...TypingCase[]] = [
  {
    name: 'a fraction',
    type: 'formulaV2',
    question: { stimulus: 'Half of x.' },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: [{ method: 'equivSymbolic', value: '\\frac{x}{2}' }] },
    },
    typed: [['Half of x.', 'x/2']],
    value: 'x/2',
    wrong: '2x',
    tree: `
- heading "Question 1" [level=3]
- text: Half of x.
- textbox "Half of x."
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
    review: { score: 0, maxScore: 1, parts: [false], correct: [{ method: 'equivSymbolic', value: '\\frac{x}{2}' }] },
    marks: ['Incorrect', 'Correct answer'],
  },
];
