import type { TypingCase } from '../support/typing';

export const plaintext: [TypingCase, ...TypingCase[]] = [
  {
    name: 'with a count of words',
    type: 'plaintext',
    question: { stimulus: 'Describe the sea.', max_length: 50, placeholder: 'Write here' },
    typed: [['Describe the sea.', 'wide and grey']],
    value: 'wide and grey',
    wrong: 'dry',
    tree: `
- heading "Question 1" [level=3]
- text: Describe the sea.
- textbox "Describe the sea.":
  - /placeholder: Write here
- paragraph: "Words: 0 of 50"
`,
    review: { score: 0, maxScore: 5 },
    marks: ['Score: 0 of 5'],
  },
];
