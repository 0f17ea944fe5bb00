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
];
