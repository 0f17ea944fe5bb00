import type { PressingCase } from '../support/pressing';

export const tokenhighlight: [PressingCase, ...PressingCase[]] = [
  {
    name: 'sentences of the author',
    type: 'tokenhighlight',
    question: {
      stimulus: 'Select what is wet.',
      template: '<p><span class="lrn_token">The sea</span> and <span class="lrn_token">the sand</span>.</p>',
      max_selection: 1,
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [0] } },
    press: ['The sea'],
    value: [0],
    wrong: [1],
    tree: `
- heading "Question 1" [level=3]
- text: Select what is wet.
- group "Select what is wet.":
  - paragraph:
    - button "The sea"
    - text: and
    - button "the sand"
    - text: .
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: [0] },
    marks: ['Incorrect', 'Missed'],
  },
];
