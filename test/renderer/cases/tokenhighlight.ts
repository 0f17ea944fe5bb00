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
    tooMany: 'the sand',
    value: [0],
    wrong: [1],
    tree: `
- heading "Question 1" [level=3]
- text: Select what is wet.
- paragraph: Choose at most 1.
- group "Select what is wet.":
  - paragraph:
    - button "The sea"
    - text: and
    - button "the sand"
    - text: .
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: [0], responseRationale: [null, 'It is dry.'] },
    marks: [
      'button "The sea Missed"',
      'button "the sand Incorrect" [disabled] [pressed]',
      'text: The sea',
      'text: the sand It is dry.',
    ],
  },
  {
    name: 'sentences, with markup across them and mathematics',
    type: 'tokenhighlight',
    question: {
      stimulus: 'Which are true?',
      template:
        '<p>Birds <b>can fly. Fish</b> have \\(2^3\\) legs. All cats <i>and dogs</i> have four legs, and they use them to run through fields, woods and gardens.</p><ul><li>Snow is cold</li></ul>',
      tokenization: 'sentence',
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [0, 2, 3] } },
    press: [
      'Snow is cold',
      'Birds can fly.',
      'All cats and dogs have four legs, and they use them to run through fields, woods and gardens.',
    ],
    value: [0, 2, 3],
    wrong: [1],
    tree: `
- heading "Question 1" [level=3]
- text: Which are true?
- group "Which are true?":
  - paragraph:
    - button "Birds can fly."
    - button "Fish have 2^3 legs.":
      - text: Fish have
      - math "2^3": 2 3
      - text: legs.
    - button "All cats and dogs have four legs, and they use them to run through fields, woods and gardens."
  - list:
    - listitem:
      - button "Snow is cold"
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: [0, 2, 3] },
    marks: ['Birds can fly. Missed', 'legs. Incorrect'],
  },
  {
    name: 'words',
    type: 'tokenhighlight',
    question: {
      stimulus: 'Which are verbs?',
      template: 'We <em>run</em>, \\(a b\\) and they <b>jum</b>p.',
      tokenization: 'word',
    },
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [1, 5] } },
    press: ['run', 'jump'],
    value: [1, 5],
    wrong: [0],
    tree: `
- heading "Question 1" [level=3]
- text: Which are verbs?
- group "Which are verbs?":
  - button "We"
  - emphasis:
    - button "run"
  - text: ","
  - button "a b":
    - math "a b": a ⁢ b
  - button "and"
  - button "they"
  - button "jump"
  - text: .
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: [1, 5] },
    marks: ['We Incorrect', 'run Missed', 'jump Missed'],
  },
  {
    name: 'paragraphs',
    type: 'tokenhighlight',
    question: {
      stimulus: 'Where does it begin?',
      template: '<p>Once <b>upon</b>.</p><p>The end.</p>',
      tokenization: 'paragraph',
    },
    press: ['Once upon.'],
    value: [0],
    wrong: [1],
    tree: `
- heading "Question 1" [level=3]
- text: Where does it begin?
- group "Where does it begin?":
  - paragraph:
    - button "Once upon."
  - paragraph:
    - button "The end."
`,
    review: { score: 0, maxScore: 1, parts: [false] },
    marks: ['The end. Incorrect'],
  },
];
