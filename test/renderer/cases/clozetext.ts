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
  {
    name: 'several lines, with a size, spelling and placeholders of their own',
    type: 'clozetext',
    question: {
      template: '<p>Dear {{response}},</p><p>{{response}}</p>',
      max_length: '40',
      multiple_line: 'true',
      spellcheck: true,
      response_container: { width: '160px', height: '48px', placeholder: 'Name' },
      response_containers: [null, { width: '90%', height: '96px', placeholder: 'Text', aria_label: 'Letter' }],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['Ann', 'see you'] } },
    typed: [
      ['Blank 1 of 2', 'Ann'],
      ['Letter', 'see you'],
    ],
    maxLength: 40,
    value: ['Ann', 'see you'],
    wrong: ['Bob', 'no'],
    tree: `
- heading "Question 1" [level=3]
- paragraph:
  - text: Dear
  - textbox "Blank 1 of 2":
    - /placeholder: Name
  - text: ","
- paragraph:
  - textbox "Letter":
    - /placeholder: Text
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: ['Ann', 'see you'] },
    marks: ['Incorrect', 'Ann'],
  },
];
