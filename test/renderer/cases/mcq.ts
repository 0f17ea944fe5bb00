import type { ChoosingCase } from '../support/choosing';

const capital = {
  stimulus: '<p>What is the capital of <strong>Australia</strong>?</p>',
  options: [
    { label: 'Sydney', value: '0' },
    { label: 'Canberra', value: '1' },
    { label: 'Melbourne', value: '2' },
  ],
};

export const mcq: [ChoosingCase, ...ChoosingCase[]] = [
  {
    name: 'one of three',
    type: 'mcq',
    question: capital,
    validation: { scoring_type: 'exactMatch', valid_response: { score: 2, value: ['1'] } },
    role: 'radio',
    choose: ['Canberra'],
    value: ['1'],
    wrong: ['0'],
    tree: `
- heading "Question 1" [level=3]
- paragraph:
  - text: What is the capital of
  - strong: Australia
  - text: "?"
- radiogroup "What is the capital of Australia?":
  - radio "Sydney"
  - text: Sydney
  - radio "Canberra"
  - text: Canberra
  - radio "Melbourne"
  - text: Melbourne
`,
    review: {
      score: 0,
      maxScore: 2,
      parts: [false],
      correct: ['1'],
      rationale: '<p>It was founded for that.</p>',
      responseRationale: ['The largest city, but not the capital.', null, null],
    },
    marks: [
      'Incorrect',
      'Missed',
      'Score: 0 of 2',
      'It was founded for that.',
      'The largest city, but not the capital.',
    ],
  },
  {
    name: 'several, in boxes and columns, with mathematics, limits and an order to show',
    type: 'mcq',
    question: {
      stimulus: 'Select <b>two</b> that are \\(\\frac{16}{2}\\).',
      options: [
        { label: '\\(-8\\)', value: 'a' },
        { label: '\\(2^3\\)', value: 'b' },
        { label: '\\(8\\)', value: 'c' },
        { label: 'None of them', value: 'd' },
      ],
      multiple_responses: true,
      min_selection: 2,
      max_selection: 2,
      ui_style: { type: 'block', columns: 2, choice_label: 'upper-alpha', fontsize: 'large' },
      presented_order: { options: [3, 2, 1, 0] },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['b', 'c'] } },
    role: 'checkbox',
    choose: ['B 8', 'C 2^3'],
    tooMany: 'A None of them',
    value: ['b', 'c'],
    wrong: ['a', 'd'],
    tree: `
- heading "Question 1" [level=3]
- text: Select two that are
- math "(16)/(2)": 16 2
- text: .
- paragraph: Choose 2.
- group "Select two that are (16)/(2) .":
  - checkbox "A None of them"
  - text: A None of them
  - checkbox "B 8"
  - text: B
  - math "8"
  - checkbox "C 2^3"
  - text: C
  - math "2^3": 2 3
  - checkbox "D -8"
  - text: D
  - math "-8": − 8
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: ['b', 'c'] },
    marks: ['Incorrect', 'Missed', 'Correct answers'],
  },
];
