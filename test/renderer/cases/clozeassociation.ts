import type { PlacingCase } from '../support/placing';

export const clozeassociation: [PlacingCase, ...PlacingCase[]] = [
  {
    name: 'each response once',
    type: 'clozeassociation',
    question: {
      stimulus: '<p>Complete the sentences.</p>',
      template: '<p>{{response}} is the capital of France, and {{response}} that of Italy.</p>',
      possible_responses: ['Rome', 'Paris', 'Madrid'],
    },
    validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: ['Paris', 'Rome'] } },
    place: [
      ['Paris', 'Blank 1 of 2'],
      ['Rome', 'Blank 2 of 2'],
    ],
    value: ['Paris', 'Rome'],
    wrong: ['Madrid', null],
    tree: `
- heading "Question 1" [level=3]
- paragraph: Complete the sentences.
- paragraph:
  - 'button "Blank 1 of 2: empty"'
  - text: is the capital of France, and
  - 'button "Blank 2 of 2: empty"'
  - text: that of Italy.
- group "Possible answers":
  - button "Rome"
  - button "Paris"
  - button "Madrid"
`,
    review: {
      score: 0,
      maxScore: 2,
      parts: [false, null],
      correct: ['Paris', 'Rome'],
      responseRationale: ['Madrid is in Spain.', null],
    },
    marks: ['Blank 1 of 2', 'Incorrect', 'Missed', 'Score: 0 of 2', 'Madrid is in Spain.'],
  },
  {
    name: 'groups, mathematics, responses that may be used again, the list at the side',
    type: 'clozeassociation',
    question: {
      template: '<p>If \\(x + 1 &lt; 5\\), then {{response}}.</p><p>If \\(5 &gt; x + 1\\), then {{response}}.</p>',
      possible_responses: [
        { title: 'Less', responses: ['\\(x &lt; 4\\)', '\\(x &lt; 6\\)'] },
        { title: 'More', responses: ['\\(x &gt; 4\\)'] },
      ],
      group_possible_responses: true,
      duplicate_responses: true,
      ui_style: { possibility_list_position: 'left', show_drag_handle: false },
      response_containers: [{ width: '150px', height: '50px' }],
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: ['\\(x &lt; 4\\)', '\\(x &lt; 4\\)'] },
    },
    place: [
      ['x<4', 'Blank 1 of 2'],
      ['x<4', 'Blank 2 of 2'],
    ],
    value: ['\\(x &lt; 4\\)', '\\(x &lt; 4\\)'],
    wrong: ['\\(x &gt; 4\\)', '\\(x &lt; 6\\)'],
    tree: `
- heading "Question 1" [level=3]
- paragraph:
  - text: If
  - math "x+1<5": x + 1 < 5
  - text: ", then"
  - 'button "Blank 1 of 2: empty"'
  - text: .
- paragraph:
  - text: If
  - math "5>x+1": 5 > x + 1
  - text: ", then"
  - 'button "Blank 2 of 2: empty"'
  - text: .
- group "Possible answers":
  - text: Less
  - button "x<4":
    - math "x<4": x < 4
  - button "x<6":
    - math "x<6": x < 6
  - text: More
  - button "x>4":
    - math "x>4": x > 4
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: ['\\(x &lt; 4\\)', '\\(x &lt; 4\\)'] },
    marks: ['Incorrect', 'Correct answers'],
  },
  {
    name: 'several in a blank',
    type: 'clozeassociation',
    question: {
      stimulus: 'Sort them.',
      template: '<p>Fruit: {{response}}</p><p>Vegetables: {{response}}</p>',
      possible_responses: ['apple', 'carrot', 'pear'],
      max_response_per_zone: 2,
      ui_style: { possibility_list_position: 'top' },
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: [['apple', 'pear'], ['carrot']] },
    },
    place: [
      ['apple', 'Blank 1 of 2'],
      ['pear', 'Blank 1 of 2'],
      ['carrot', 'Blank 2 of 2'],
    ],
    value: [['apple', 'pear'], ['carrot']],
    wrong: [['carrot'], ['apple', 'pear']],
    tree: `
- heading "Question 1" [level=3]
- text: Sort them.
- paragraph:
  - text: "Fruit:"
  - group "Blank 1 of 2":
    - 'button "Blank 1 of 2: empty"'
- paragraph:
  - text: "Vegetables:"
  - group "Blank 2 of 2":
    - 'button "Blank 2 of 2: empty"'
- group "Possible answers":
  - button "apple"
  - button "carrot"
  - button "pear"
`,
    review: { score: 0, maxScore: 1, parts: [false, false], correct: [['apple', 'pear'], ['carrot']] },
    marks: ['Incorrect', 'apple, pear'],
  },
];
