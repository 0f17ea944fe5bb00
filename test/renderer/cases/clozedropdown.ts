import type { SelectingCase } from '../support/selecting';

export const clozedropdown: [SelectingCase, ...SelectingCase[]] = [
  {
    name: 'two menus',
    type: 'clozedropdown',
    question: {
      stimulus: 'Choose the verbs.',
      template: '<p>The team {{response}} and its players {{response}}.</p>',
      possible_responses: [
        ['wins', 'win'],
        ['cheer', 'cheers'],
      ],
      response_container: { placeholder: 'verb' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['wins', 'cheer'] } },
    chosen: [
      ['Blank 1 of 2', 'wins'],
      ['Blank 2 of 2', 'cheer'],
    ],
    value: ['wins', 'cheer'],
    wrong: ['win', 'cheer'],
    tree: `
- heading "Question 1" [level=3]
- text: Choose the verbs.
- paragraph:
  - text: The team
  - combobox "Blank 1 of 2":
    - option "verb" [selected]
    - option "wins"
    - option "win"
  - text: and its players
  - combobox "Blank 2 of 2":
    - option "verb" [selected]
    - option "cheer"
    - option "cheers"
  - text: .
`,
    review: { score: 0, maxScore: 1, parts: [false, true], correct: ['wins', 'cheer'] },
    marks: ['Incorrect', 'Correct', 'wins'],
  },
  {
    name: 'menus of booleans and numbers',
    type: 'clozedropdown',
    question: {
      template: '<p>Zero is even: {{response}}. Its square is {{response}}.</p>',
      possible_responses: [
        [true, false],
        [0, 1],
      ],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [true, 0] } },
    chosen: [
      ['Blank 1 of 2', 'true'],
      ['Blank 2 of 2', '0'],
    ],
    value: ['true', '0'],
    wrong: ['false', null],
    tree: `
- heading "Question 1" [level=3]
- paragraph:
  - text: "Zero is even:"
  - combobox "Blank 1 of 2":
    - option "Select" [selected]
    - option "true"
    - option "false"
  - text: . Its square is
  - combobox "Blank 2 of 2":
    - option "Select" [selected]
    - option "0"
    - option "1"
  - text: .
`,
    review: { score: 0, maxScore: 1, parts: [false, null], correct: [true, 0] },
    marks: ['Incorrect', 'Missed', 'true'],
  },
];
