import type { PlacingCase } from '../support/placing';

const image = {
  src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='240'%3E%3Crect width='400' height='240' fill='%23dde'/%3E%3C/svg%3E",
  alt: 'Two planets',
  width: 400,
};

export const imageclozeassociation: [PlacingCase, ...PlacingCase[]] = [
  {
    name: 'two places on an image',
    type: 'imageclozeassociation',
    question: {
      stimulus: 'Name the planets.',
      image,
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
  {
    name: 'places that point at the image, the list above, no handles',
    type: 'imageclozeassociation',
    question: {
      stimulus: 'Name the planets.',
      image,
      response_positions: [
        { x: 10, y: 10 },
        { x: 55, y: 10 },
        { x: 10, y: 60 },
        { x: 55, y: 60 },
      ],
      response_container: { pointer: 'left', width: '80px' },
      response_containers: [{ pointer: 'top' }, { pointer: 'right' }, { pointer: 'bottom', width: '100px' }, null],
      possible_responses: ['Venus', 'Mars', 'Mercury', 'Earth'],
      ui_style: { possibility_list_position: 'top', show_drag_handle: false },
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: ['Mercury', 'Venus', 'Earth', 'Mars'] },
    },
    place: [
      ['Mercury', 'Blank 1 of 4'],
      ['Venus', 'Blank 2 of 4'],
      ['Earth', 'Blank 3 of 4'],
      ['Mars', 'Blank 4 of 4'],
    ],
    value: ['Mercury', 'Venus', 'Earth', 'Mars'],
    wrong: ['Venus', 'Mercury', 'Mars', null],
    tree: `
- heading "Question 1" [level=3]
- text: Name the planets.
- img "Two planets"
- 'button "Blank 1 of 4: empty"'
- 'button "Blank 2 of 4: empty"'
- 'button "Blank 3 of 4: empty"'
- 'button "Blank 4 of 4: empty"'
- group "Possible answers":
  - button "Venus"
  - button "Mars"
  - button "Mercury"
  - button "Earth"
`,
    review: {
      score: 0,
      maxScore: 1,
      parts: [false, false, false, null],
      correct: ['Mercury', 'Venus', 'Earth', 'Mars'],
    },
    marks: ['Incorrect', 'Missed', 'Mercury'],
  },
  {
    name: 'several in a place',
    type: 'imageclozeassociationV2',
    question: {
      stimulus: 'Which are near the sun, which far from it?',
      image,
      response_positions: [
        { x: 5, y: 10 },
        { x: 45, y: 55 },
      ],
      response_containers: [{ pointer: 'right' }, { pointer: 'top' }],
      aria_labels: ['Near', 'Far'],
      possible_responses: ['Venus', 'Neptune', 'Mercury'],
      ui_style: { possibility_list_position: 'left' },
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: [['Venus', 'Mercury'], ['Neptune']] },
    },
    place: [
      ['Venus', 'Near'],
      ['Mercury', 'Near'],
      ['Neptune', 'Far'],
    ],
    value: [['Venus', 'Mercury'], ['Neptune']],
    wrong: [['Neptune'], []],
    tree: `
- heading "Question 1" [level=3]
- text: Which are near the sun, which far from it?
- img "Two planets"
- group "Near":
  - 'button "Near: empty"'
- group "Far":
  - 'button "Far: empty"'
- group "Possible answers":
  - button "Venus"
  - button "Neptune"
  - button "Mercury"
`,
    review: { score: 0, maxScore: 1, parts: [false, null], correct: [['Venus', 'Mercury'], ['Neptune']] },
    marks: ['Incorrect', 'Missed', 'Venus, Mercury'],
  },
];
