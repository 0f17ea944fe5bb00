import type { SlidingCase } from '../support/sliding';

export const numberline: [SlidingCase, ...SlidingCase[]] = [
  {
    name: 'two points that keep to ticks',
    type: 'numberline',
    question: {
      stimulus: 'Place the halves.',
      line: { min: 0, max: 2 },
      ticks: { distance: 0.5 },
      snap_to_ticks: true,
      points: ['1/2', '3/2'],
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: {
        score: 1,
        value: [
          { point: '1/2', position: 0.5 },
          { point: '3/2', position: 1.5 },
        ],
      },
    },
    slid: [
      ['1/2', 'ArrowLeft'],
      ['3/2', 'ArrowRight'],
    ],
    value: [
      { point: '1/2', position: 0.5 },
      { point: '3/2', position: 1.5 },
    ],
    wrong: [
      { point: '1/2', position: 1 },
      { point: '3/2', position: 2 },
    ],
    tree: `
- heading "Question 1" [level=3]
- text: Place the halves.
- group "Place the halves.":
  - button "Put 1/2 on the line"
  - button "Put 3/2 on the line"
`,
    review: {
      score: 0,
      maxScore: 1,
      parts: [false, false],
      correct: [
        { point: '1/2', position: 0.5 },
        { point: '3/2', position: 1.5 },
      ],
    },
    marks: ['Incorrect', '1/2', '0.5'],
  },
];
