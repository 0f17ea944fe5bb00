import type { PlacingCase } from '../support/placing';

export const association: [PlacingCase, ...PlacingCase[]] = [
  {
    name: 'rivers and continents',
    type: 'association',
    question: {
      stimulus: 'On which continent?',
      stimulus_list: ['Niger', 'Mekong'],
      possible_responses: ['Asia', 'Africa', 'Europe'],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['Africa', 'Asia'] } },
    place: [
      ['Africa', 'Niger'],
      ['Asia', 'Mekong'],
    ],
    value: ['Africa', 'Asia'],
    wrong: ['Europe', null],
    tree: `
- heading "Question 1" [level=3]
- text: On which continent?
- list:
  - listitem:
    - text: Niger
    - 'button "Niger: empty"'
  - listitem:
    - text: Mekong
    - 'button "Mekong: empty"'
- group "Possible answers":
  - button "Asia"
  - button "Africa"
  - button "Europe"
`,
    review: { score: 0, maxScore: 1, parts: [false, null], correct: ['Africa', 'Asia'] },
    marks: ['Incorrect', 'Missed', 'Africa'],
  },
];
