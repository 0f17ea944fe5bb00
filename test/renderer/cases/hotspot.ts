import type { ChoosingCase } from '../support/choosing';

export const hotspot: [ChoosingCase, ...ChoosingCase[]] = [
  {
    name: 'two of three areas',
    type: 'hotspot',
    question: {
      stimulus: 'Where is it warm?',
      image: {
        source:
          "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='240'%3E%3Crect width='400' height='240' fill='%23dde'/%3E%3C/svg%3E",
        alt: 'A map',
        width: 400,
        height: 240,
      },
      areas: [
        [
          { x: 5, y: 5 },
          { x: 30, y: 5 },
          { x: 30, y: 60 },
        ],
        [
          { x: 40, y: 5 },
          { x: 60, y: 5 },
          { x: 60, y: 60 },
        ],
        [
          { x: 70, y: 5 },
          { x: 90, y: 5 },
          { x: 90, y: 60 },
        ],
      ],
      area_attributes: {
        individual: [
          { area: '0', label: 'The south' },
          { area: '1', aria_label: 'The east' },
        ],
      },
      multiple_responses: true,
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0', '1'] } },
    role: 'checkbox',
    choose: ['The south', 'The east'],
    value: ['0', '1'],
    wrong: ['2'],
    tree: `
- heading "Question 1" [level=3]
- text: Where is it warm?
- img "A map"
- group "Where is it warm?":
  - checkbox "The south"
  - text: The south
  - checkbox "The east"
  - text: The east
  - checkbox "Area 3"
  - text: Area 3
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: ['0', '1'] },
    marks: ['Incorrect', 'Missed', 'The south'],
  },
];
