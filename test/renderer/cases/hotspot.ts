import type { ChoosingCase } from '../support/choosing';

const map = (colour: string) =>
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='240'%3E%3Crect width='400' height='240' fill='%23${colour}'/%3E%3C/svg%3E`;

export const hotspot: [ChoosingCase, ...ChoosingCase[]] = [
  {
    name: 'two of three areas',
    type: 'hotspot',
    question: {
      stimulus: 'Where is it warm?',
      image: {
        source: map('dde'),
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
  - checkbox "The east"
  - checkbox "Area 3"
`,
    review: {
      score: 0,
      maxScore: 1,
      parts: [false],
      correct: ['0', '1'],
      responseRationale: [null, null, '<p>There is ice.</p>'],
    },
    marks: ['Incorrect', 'Missed', 'The south', '- text: Area 3\n- paragraph: There is ice.'],
  },
  {
    name: 'at most two areas, in colours of their own, with labels and names',
    type: 'hotspot',
    question: {
      stimulus: 'Where do penguins live?',
      image: { source: map('123'), alt: 'The earth', width: 400, height: 240 },
      areas: [
        [
          { x: 2, y: 4 },
          { x: 48, y: 4 },
          { x: 48, y: 40 },
          { x: 2, y: 40 },
        ],
        [
          { x: 52, y: 4 },
          { x: 98, y: 4 },
          { x: 98, y: 40 },
        ],
        [
          { x: 2, y: 60 },
          { x: 48, y: 60 },
          { x: 25, y: 98 },
        ],
        [
          { x: 52, y: 60 },
          { x: 98, y: 60 },
          { x: 98, y: 98 },
          { x: 52, y: 98 },
        ],
      ],
      area_attributes: {
        global: { fill: 'rgba(255, 255, 255, 0.2)', stroke: 'rgb(255, 255, 255)' },
        individual: [
          { area: 0, label: 'Greenland' },
          { area: 1, label: '<b>Siberia</b>', aria_label: 'the north of Russia', fill: 'rgba(200, 0, 0, 0.3)' },
          { area: 2, label: 'Chile', aria_label: 'Chile, in the south-west', stroke: '#ffcc00' },
          { area: 3, aria_label: 'Antarctica', stroke: 'url(https://example.org/a.svg#b)' },
        ],
      },
      multiple_responses: 'true',
      max_selection: 2,
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['2', '3'] } },
    role: 'checkbox',
    choose: ['Chile, in the south-west', 'Antarctica'],
    tooMany: 'Greenland',
    value: ['2', '3'],
    wrong: ['0', '2'],
    tree: `
- heading "Question 1" [level=3]
- text: Where do penguins live?
- paragraph: Choose at most 2.
- img "The earth"
- group "Where do penguins live?":
  - checkbox "Greenland"
  - checkbox "Siberia, the north of Russia"
  - checkbox "Chile, in the south-west"
  - checkbox "Antarctica"
`,
    review: { score: 0, maxScore: 1, parts: [false, true], correct: ['2', '3'] },
    marks: ['Incorrect', 'Correct', 'Missed', 'Antarctica'],
  },
  {
    name: 'one area, known by its number',
    type: 'hotspot',
    question: {
      stimulus: 'Which half is larger?',
      image: { src: map('eed'), alt: 'Two halves' },
      areas: [
        [
          { x: 0, y: 0 },
          { x: 40, y: 0 },
          { x: 40, y: 100 },
          { x: 0, y: 100 },
        ],
        [
          { x: 40, y: 0 },
          { x: 100, y: 0 },
          { x: 100, y: 100 },
          { x: 40, y: 100 },
        ],
      ],
      max_selection: 5,
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
    role: 'radio',
    choose: ['Area 2'],
    value: ['1'],
    wrong: ['0'],
    tree: `
- heading "Question 1" [level=3]
- text: Which half is larger?
- img "Two halves"
- radiogroup "Which half is larger?":
  - radio "Area 1"
  - radio "Area 2"
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: ['1'] },
    marks: ['Incorrect', 'Missed', 'Area 2'],
  },
];
