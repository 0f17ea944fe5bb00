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
  {
    name: 'at least two, with the boxes below, in columns that are filled one after the other',
    type: 'mcq',
    question: {
      stimulus: 'Which are odd?',
      options: ['1', '2', '3', '4', '5'].map((label) => ({ label, value: `v${label}` })),
      multiple_responses: true,
      min_selection: 2,
      ui_style: { type: 'horizontal-input-bottom', columns: '3', orientation: 'vertical' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['v1', 'v3', 'v5'] } },
    role: 'checkbox',
    choose: ['1', '3', '5'],
    value: ['v1', 'v3', 'v5'],
    wrong: ['v2', 'v4'],
    tree: `
- heading "Question 1" [level=3]
- text: Which are odd?
- paragraph: Choose at least 2.
- group "Which are odd?":
  - checkbox "1"
  - text: "1"
  - checkbox "2"
  - text: "2"
  - checkbox "3"
  - text: "3"
  - checkbox "4"
  - text: "4"
  - checkbox "5"
  - text: "5"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: ['v1', 'v3', 'v5'] },
    marks: ['Incorrect', 'Missed', 'Correct answers'],
  },
  {
    name: 'one of boxes with numbers, in columns that are filled row by row',
    type: 'mcq',
    question: {
      stimulus: 'Which is the longest?',
      options: [
        { label: '<p>a word</p>' },
        { label: '<p>a sentence that goes on for a while, and for a while longer</p>' },
        { label: '<p>a letter</p>' },
      ],
      ui_style: { type: 'block', columns: 2, orientation: 'horizontal', choice_label: 'number' },
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
    role: 'radio',
    choose: ['2 a sentence that goes on for a while, and for a while longer'],
    value: ['1'],
    wrong: ['2'],
    tree: `
- heading "Question 1" [level=3]
- text: Which is the longest?
- radiogroup "Which is the longest?":
  - radio "1 a word"
  - text: "1"
  - paragraph: a word
  - radio "2 a sentence that goes on for a while, and for a while longer"
  - text: "2"
  - paragraph: a sentence that goes on for a while, and for a while longer
  - radio "3 a letter"
  - text: "3"
  - paragraph: a letter
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: ['1'] },
    marks: ['Incorrect', 'Missed'],
  },
  {
    name: 'options that are booleans, numbers, blank and plain texts, as authors write them without quotes',
    type: 'mcq',
    question: {
      stimulus: 'Which are not empty?',
      options: [
        { label: true, value: true },
        { label: false, value: false },
        { label: 7, value: 70 },
        { label: 'Nothing', value: ' ' },
        'Text',
      ],
      multiple_responses: true,
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [false, 70, 'Text'] } },
    role: 'checkbox',
    choose: ['false', '7', 'Text'],
    value: ['false', '70', 'Text'],
    wrong: ['true', '3'],
    tree: `
- heading "Question 1" [level=3]
- text: Which are not empty?
- group "Which are not empty?":
  - checkbox "true"
  - text: "true"
  - checkbox "false"
  - text: "false"
  - checkbox "7"
  - text: "7"
  - checkbox "Nothing"
  - text: Nothing
  - checkbox "Text"
  - text: Text
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [false, 70, 'Text'] },
    marks: ['Incorrect', 'Missed', 'Correct answers'],
  },
];
