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
  {
    name: 'as a list, without handles, with long entries',
    type: 'orderlist',
    question: {
      stimulus: 'In the order in which they happen.',
      list: [
        '<p>The water of the sea is warmed by the sun, and some of it becomes vapour that rises high into the air.</p>',
        '<p>Vapour</p>',
        '<p>It rains.</p>',
      ],
      ui_style: { type: 'list', show_drag_handle: false },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [1, 0, 2] } },
    up: 'Vapour',
    value: [1, 0, 2],
    wrong: [0, 2, 1],
    tree: `
- heading "Question 1" [level=3]
- text: In the order in which they happen.
- list "In the order in which they happen.":
  - listitem:
    - button "The water of the sea is warmed by the sun, and some of it becomes vapour that rises high into the air.":
      - paragraph: The water of the sea is warmed by the sun, and some of it becomes vapour that rises high into the air.
    - button "Move The water of the sea is warmed by the sun, and some of it becomes vapour that rises high into the air. up" [disabled]
    - button "Move The water of the sea is warmed by the sun, and some of it becomes vapour that rises high into the air. down"
  - listitem:
    - button "Vapour":
      - paragraph: Vapour
    - button "Move Vapour up"
    - button "Move Vapour down"
  - listitem:
    - button "It rains.":
      - paragraph: It rains.
    - button "Move It rains. up"
    - button "Move It rains. down" [disabled]
`,
    review: { score: 0, maxScore: 1, parts: [false, false, false], correct: [1, 0, 2] },
    marks: ['Incorrect', 'Vapour'],
  },
  {
    name: 'words of a sentence, one after the other',
    type: 'orderlist',
    question: {
      stimulus: 'Make a sentence.',
      list: ['are', 'Cats', 'animals.'],
      ui_style: { type: 'inline' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [1, 0, 2] } },
    up: 'Cats',
    button: 'Move Cats earlier',
    value: [1, 0, 2],
    wrong: [2, 1, 0],
    tree: `
- heading "Question 1" [level=3]
- text: Make a sentence.
- list "Make a sentence.":
  - listitem:
    - button "are"
    - button "Move are earlier" [disabled]
    - button "Move are later"
  - listitem:
    - button "Cats"
    - button "Move Cats earlier"
    - button "Move Cats later"
  - listitem:
    - button "animals."
    - button "Move animals. earlier"
    - button "Move animals. later" [disabled]
`,
    review: { score: 0, maxScore: 1, parts: [false, false, false], correct: [1, 0, 2] },
    marks: ['Incorrect', 'Cats'],
  },
];
