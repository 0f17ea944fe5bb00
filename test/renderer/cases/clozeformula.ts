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
- button "Symbols"
- button "Type as formula"
`,
    review: { score: 0, maxScore: 1, parts: [false, true], correct: [[{ value: '2' }], [{ value: '1' }]] },
    marks: ['Incorrect', 'Correct'],
  },
  {
    name: 'blanks with a template, a placeholder and a width of their own',
    type: 'clozeformula',
    question: {
      template: '<p>Half: {{response}}, its root: {{response}}</p>',
      response_container: { placeholder: 'x' },
      response_containers: [
        { template: '\\frac{1}{{{response}}}' },
        { width: '200px', placeholder: '', aria_label: 'Root' },
      ],
      ui_style: { type: 'floating-keyboard' },
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: {
        score: 1,
        value: [[{ method: 'stringMatch', value: '\\frac{1}{2}' }], [{ method: 'stringMatch', value: 'r' }]],
      },
    },
    typed: [
      ['Blank 1 of 2', '2'],
      ['Root', 'r'],
    ],
    value: ['\\frac{1}{2}', 'r'],
    wrong: ['\\frac{1}{3}', 's'],
    tree: `
- heading "Question 1" [level=3]
- paragraph:
  - text: "Half:"
  - math "(1)/(□)": 1 □
  - textbox "Blank 1 of 2":
    - /placeholder: x
  - text: ", its root:"
  - textbox "Root"
- button "Symbols"
- button "Type as formula"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [[{ value: '\\frac{1}{2}' }], [{ value: 'r' }]] },
    marks: ['Incorrect'],
  },
];
