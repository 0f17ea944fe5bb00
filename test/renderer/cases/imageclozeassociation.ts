import type { PlacingCase } from '../support/placing';

export const imageclozeassociation: [PlacingCase, ...PlacingCase[]] = [
  {
    name: 'two places on an image',
    type: 'imageclozeassociation',
    question: {
      stimulus: 'Name the planets.',
      image: {
        src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='240'%3E%3Crect width='400' height='240' fill='%23dde'/%3E%3C/svg%3E",
        alt: 'Two planets',
        width: 400,
      },
      response_positions: [
        { x: 5, y: 10 },
        { x: 55, y: 60 },
      ],
      aria_labels: ['The first planet', 'The second planet'],
      possible_responses: ['Venus', 'Mercury', 'Pluto'],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['Mercury', 'Venus'] } },
    place: [
      ['Mercury', 'The first planet'],
      ['Venus', 'The second planet'],
    ],
    value: ['Mercury', 'Venus'],
    wrong: ['Pluto', null],
    tree: `
- heading "Question 1" [level=3]
- text: Name the planets.
- img "Two planets"
- 'button "The first planet: empty"'
- 'button "The second planet: empty"'
- group "Possible answers":
  - button "Venus"
  - button "Mercury"
  - button "Pluto"
`,
    review: { score: 0, maxScore: 1, parts: [false, null], correct: ['Mercury', 'Venus'] },
    marks: ['Incorrect', 'Missed', 'Mercury'],
  },
];
