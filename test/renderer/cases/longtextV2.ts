import type { TypingCase } from '../support/typing';

export const longtextV2: [TypingCase, ...TypingCase[]] = [
  {
    name: 'stored as HTML',
    type: 'longtextV2',
    question: { stimulus: 'Describe the sea.', max_length: 50, show_word_limit: 'off' },
    typed: [['Describe the sea.', 'wide & grey']],
    value: '<p>wide &amp; grey</p>',
    wrong: '<p>dry</p>',
    tree: `
- heading "Question 1" [level=3]
- text: Describe the sea.
- textbox "Describe the sea."
- paragraph: "Words: 0"
`,
    review: { score: 0, maxScore: 5 },
    marks: ['Score: 0 of 5'],
  },
];
