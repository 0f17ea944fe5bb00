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
  - text: x +
  - textbox "Blank 2 of 2"
`,
    review: { score: 0, maxScore: 1, parts: [false, true], correct: [[{ value: '2' }], [{ value: '1' }]] },
    marks: ['Incorrect', 'Correct'],
  },
];
