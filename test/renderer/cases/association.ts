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
  {
    name: 'groups in a member of their own, a response used twice, numbered stems, one of them without words',
    type: 'association',
    question: {
      stimulus_list: ['<b>Cat</b>', '<img alt="">'],
      group_possible_responses: true,
      possible_response_groups: [
        { title: 'Classes', responses: ['Mammal', 'Bird'] },
        { title: 'Others', responses: ['None'] },
      ],
      duplicate_responses: true,
      ui_style: { possibility_list_position: 'right', stem_numeration: 'upper-alpha' },
    },
    validation: { scoring_type: 'partialMatchV2', valid_response: { score: 2, value: ['Mammal', 'Mammal'] } },
    place: [
      ['Mammal', 'Cat'],
      ['Mammal', 'Blank 2 of 2'],
    ],
    value: ['Mammal', 'Mammal'],
    wrong: ['Bird', 'None'],
    tree: `
- heading "Question 1" [level=3]
- list:
  - listitem:
    - text: A Cat
    - 'button "Cat: empty"'
  - listitem:
    - text: B
    - 'button "Blank 2 of 2: empty"'
- group "Possible answers":
  - text: Classes
  - button "Mammal"
  - button "Bird"
  - text: Others
  - button "None"
`,
    review: { score: 0, maxScore: 2, parts: [false, false], correct: ['Mammal', 'Mammal'] },
    marks: ['Incorrect', 'Correct answers', 'Score: 0 of 2'],
  },
  {
    name: 'stems and responses that are booleans and numbers',
    type: 'association',
    question: {
      stimulus: 'Which value does the comparison have?',
      stimulus_list: ['2 > 1', true],
      possible_responses: [1, true],
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [true, 1] } },
    place: [
      ['true', '2 > 1'],
      ['1', 'true'],
    ],
    value: ['true', '1'],
    wrong: ['1', null],
    tree: `
- heading "Question 1" [level=3]
- text: Which value does the comparison have?
- list:
  - listitem:
    - text: 2 > 1
    - 'button "2 > 1: empty"'
  - listitem:
    - text: "true"
    - 'button "true: empty"'
- group "Possible answers":
  - button "1"
  - button "true"
`,
    review: { score: 0, maxScore: 1, parts: [false, null], correct: [true, 1] },
    marks: ['Incorrect', 'Missed'],
  },
];
