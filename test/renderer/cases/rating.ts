import type { ChoosingCase } from '../support/choosing';

export const rating: [ChoosingCase, ...ChoosingCase[]] = [
  {
    name: 'a scale with tints, one of them not a colour, and a suggestion',
    type: 'rating',
    question: {
      stimulus: 'How well did you explain it?',
      options: [
        { value: 10, label: '1', tint: '#ff121c', description: 'Unsatisfactory' },
        { value: 20, label: '2', tint: 'url(https://elsewhere.example/x)', description: 'Satisfactory' },
        { value: 30, label: '3', tint: '#cffa2e', description: 'Good, with <b>reasons</b>' },
      ],
      initial_value: 20,
    },
    role: 'radio',
    choose: ['3 Good, with reasons'],
    value: 30,
    wrong: 10,
    tree: `
- heading "Question 1" [level=3]
- text: How well did you explain it?
- radiogroup "How well did you explain it?":
  - radio "1 Unsatisfactory"
  - text: 1 Unsatisfactory
  - radio "2 Satisfactory (suggested)"
  - text: 2 Satisfactory (suggested)
  - radio "3 Good, with reasons"
  - text: 3 Good, with reasons
`,
    review: { score: 1, maxScore: 3, rationale: '<p>Your teacher agrees.</p>' },
    marks: ['Partly correct', 'Score: 1 of 3', 'Your teacher agrees.'],
  },
  {
    name: 'labels alone',
    type: 'rating',
    question: { options: ['25 %', '50 %'] },
    role: 'radio',
    choose: ['50 %'],
    value: '1',
    wrong: '0',
    tree: `
- heading "Question 1" [level=3]
- radiogroup "Question 1":
  - radio "25 %"
  - text: 25 %
  - radio "50 %"
  - text: 50 %
`,
    review: { score: 2, maxScore: 2 },
    marks: ['Score: 2 of 2'],
  },
];
