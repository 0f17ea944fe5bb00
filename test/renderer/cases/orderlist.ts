import type { OrderingCase } from '../support/ordering';

export const orderlist: [OrderingCase, ...OrderingCase[]] = [
  {
    name: 'three events',
    type: 'orderlist',
    question: { stimulus: 'From the earliest.', list: ['Telephone', 'Printing', 'Moon'] },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [1, 0, 2] } },
    up: 'Printing',
    value: [1, 0, 2],
    wrong: [2, 1, 0],
    tree: `
- heading "Question 1" [level=3]
- text: From the earliest.
- list "From the earliest.":
  - listitem:
    - button "Telephone"
    - button "Move Telephone up" [disabled]
    - button "Move Telephone down"
  - listitem:
    - button "Printing"
    - button "Move Printing up"
    - button "Move Printing down"
  - listitem:
    - button "Moon"
    - button "Move Moon up"
    - button "Move Moon down" [disabled]
`,
    review: { score: 0, maxScore: 1, parts: [false, false, false], correct: [1, 0, 2] },
    marks: ['Incorrect', 'Printing'],
  },
];
