import type { SelectingCase } from '../support/selecting';

export const imageclozedropdown: [SelectingCase, ...SelectingCase[]] = [
  {
    name: 'two places',
    type: 'imageclozedropdown',
    question: {
      stimulus: 'Name the parts.',
      image: {
        src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='240'%3E%3Crect width='400' height='240' fill='%23dde'/%3E%3C/svg%3E",
        alt: 'A plant',
        width: 400,
      },
      response_positions: [
        { x: 10, y: 5 },
        { x: 50, y: 75 },
      ],
      aria_labels: ['At the top', 'Below the ground'],
      possible_responses: [
        ['leaf', 'root'],
        ['leaf', 'root'],
      ],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['leaf', 'root'] } },
    chosen: [
      ['At the top', 'leaf'],
      ['Below the ground', 'root'],
    ],
    value: ['leaf', 'root'],
    wrong: ['root', 'leaf'],
    tree: `
- heading "Question 1" [level=3]
- text: Name the parts.
- img "A plant"
- combobox "At the top":
  - option "Select" [selected]
  - option "leaf"
  - option "root"
- combobox "Below the ground":
  - option "Select" [selected]
  - option "leaf"
  - option "root"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: ['leaf', 'root'] },
    marks: ['Incorrect', 'leaf'],
  },
];
