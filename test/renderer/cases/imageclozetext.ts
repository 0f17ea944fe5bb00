import type { TypingCase } from '../support/typing';

export const imageclozetext: [TypingCase, ...TypingCase[]] = [
  {
    name: 'two places, one with a name',
    type: 'imageclozetext',
    question: {
      stimulus: 'Name the directions.',
      image: {
        src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='240'%3E%3Crect width='400' height='240' fill='%23dde'/%3E%3C/svg%3E",
        alt: 'A compass',
        width: 400,
      },
      response_positions: [
        { x: 40, y: 5 },
        { x: 40, y: 75 },
      ],
      aria_labels: ['The top', ''],
      response_container: { width: '80px' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['north', 'south'] } },
    typed: [
      ['The top', 'north'],
      ['Blank 2 of 2', 'south'],
    ],
    value: ['north', 'south'],
    wrong: ['south', 'north'],
    tree: `
- heading "Question 1" [level=3]
- text: Name the directions.
- img "A compass"
- textbox "The top"
- textbox "Blank 2 of 2"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: ['north', 'south'] },
    marks: ['Incorrect', 'north'],
  },
];
