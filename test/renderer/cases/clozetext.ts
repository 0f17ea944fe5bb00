import type { TypingCase } from '../support/typing';

export const clozetext: [TypingCase, ...TypingCase[]] = [
  {
    name: 'two blanks with a limit',
    type: 'clozetext',
    question: {
      stimulus: 'Fill in être.',
      template: '<p>Je {{response}} et tu {{response}}.</p>',
      max_length: 6,
      character_map: ['é', 'è'],
      response_containers: [{}, { placeholder: 'verb' }],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['suis', 'es'] } },
    typed: [
      ['Blank 1 of 2', 'suis'],
      ['Blank 2 of 2', 'es'],
    ],
    maxLength: 6,
    special: 'é',
    value: ['suis', 'es'],
    wrong: ['sont', 'es'],
    tree: `
- heading "Question 1" [level=3]
- text: Fill in être.
- paragraph:
  - text: Je
  - textbox "Blank 1 of 2"
  - group: Special characters
  - text: et tu
  - textbox "Blank 2 of 2":
    - /placeholder: verb
  - group: Special characters
  - text: .
`,
    review: { score: 0, maxScore: 1, parts: [false, true], correct: ['suis', 'es'] },
    marks: ['Incorrect', 'Correct', 'suis'],
  },
];
