import type { TypingCase } from '../support/typing';

export const shorttext: [TypingCase, ...TypingCase[]] = [
  {
    name: 'with special characters and a limit',
    type: 'shorttext',
    question: {
      stimulus: 'What is <i>spring</i> in French?',
      placeholder: 'One word',
      max_length: 12,
      character_map: true,
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: 'printemps' } },
    typed: [['What is spring in French?', 'printemps']],
    maxLength: 12,
    special: 'é',
    value: 'printemps',
    wrong: 'été',
    tree: `
- heading "Question 1" [level=3]
- text: What is spring in French?
- textbox "What is spring in French?":
  - /placeholder: One word
- group: Special characters
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: 'printemps', rationale: 'From <em>primum tempus</em>.' },
    marks: ['Incorrect', 'Correct answer', 'printemps', 'primum tempus'],
  },
  {
    name: 'without a stimulus, for numbers',
    type: 'shorttext',
    question: { response_container: { input_type: 'number', width: '100px' } },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: '42' } },
    typed: [['Question 1', '42']],
    value: '42',
    wrong: '7',
    tree: `
- heading "Question 1" [level=3]
- textbox "Question 1"
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: '42' },
    marks: ['Incorrect', '42'],
  },
  {
    name: 'wide and high, for an address, with characters of the author',
    type: 'shorttext',
    question: {
      stimulus: 'Who wrote this?',
      spellcheck: 'true',
      max_length: 400,
      character_map: ['@', 'ß', '', { x: 1 }],
      response_container: { input_type: 'email', width: '2000px', height: '64px', placeholder: 'name@example.org' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: 'a@b.de' } },
    typed: [['Who wrote this?', 'a@b.de']],
    maxLength: 250,
    value: 'a@b.de',
    wrong: 'x',
    tree: `
- heading "Question 1" [level=3]
- text: Who wrote this?
- textbox "Who wrote this?":
  - /placeholder: name@example.org
- group: Special characters
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: 'a@b.de' },
    marks: ['Incorrect', 'a@b.de'],
  },
];
