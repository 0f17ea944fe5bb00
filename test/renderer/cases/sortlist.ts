import type { SortingCase } from '../support/sorting';

export const sortlist: [SortingCase, ...SortingCase[]] = [
  {
    name: 'three planets from the sun',
    type: 'sortlist',
    question: { stimulus: 'From the sun.', list: ['Earth', '<p>Mercury</p>', 'Venus'] },
    validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: [1, 2, 0] } },
    order: ['Mercury', 'Venus', 'Earth'],
    value: [1, 2, 0],
    wrong: [2],
    tree: `
- heading "Question 1" [level=3]
- text: From the sun. Entries
- list "Entries":
  - listitem:
    - button "Earth"
    - button "Move Earth to “Your order”"
  - listitem:
    - button "Mercury":
      - paragraph: Mercury
    - button "Move Mercury to “Your order”"
  - listitem:
    - button "Venus"
    - button "Move Venus to “Your order”"
- text: Your order
- paragraph: empty
- list "Your order"
`,
    review: { score: 0, maxScore: 3, parts: [false, null, null], correct: [1, 2, 0] },
    marks: ['Incorrect', 'Mercury', 'Score: 0 of 3'],
  },
];
