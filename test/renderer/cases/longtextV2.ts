import type { Case } from '../support/suite';

interface WritingCase extends Case {
  /** The text of the answer, as the learner types it. */
  text: string;
}

const LANGUAGE = 'Describe the sea.';
const USUAL = `
- heading "Question 1" [level=3]
- text: Describe the sea.
- toolbar "Formatting":
  - button "Bold"
  - button "Italic"
  - button "Underline"
  - button "Bulleted list"
  - button "Numbered list"
- textbox "Describe the sea.":
  - paragraph
- paragraph: "Words: 0"
`;

export const longtextV2: [WritingCase, ...WritingCase[]] = [
  {
    name: 'with the usual tools',
    type: 'longtextV2',
    question: { stimulus: LANGUAGE, max_length: 50, show_word_limit: 'off' },
    text: 'wide & grey',
    value: '<p>wide &amp; grey</p>',
    wrong: '<p>dry</p>',
    tree: USUAL,
    review: { score: 0, maxScore: 5 },
    marks: ['Score: 0 of 5'],
  },
  {
    name: 'of the older type',
    type: 'longtext',
    question: { stimulus: LANGUAGE, show_word_limit: 'off' },
    text: 'wide',
    value: '<p>wide</p>',
    wrong: '<p>dry</p>',
    tree: USUAL,
    review: { score: 0, maxScore: 5 },
    marks: ['Score: 0 of 5'],
  },
  {
    name: 'with every tool and special characters',
    type: 'longtextV2',
    question: {
      max_length: 3,
      placeholder: 'Write here.',
      character_map: ['ß', 'ø'],
      ui_style: { min_height: 200, max_height: '300px' },
      formatting_options:
        'bold italic underline strikethrough superscript subscript codeInline | unorderedList orderedList indentIncrease indentDecrease blockquote | alignLeft alignCenter alignRight alignJustify textDirectionLtr textDirectionRtl | insertHorizontalRule table image mathCharacterMap removeFormat undo redo'.split(
          ' ',
        ),
    },
    text: 'sea',
    value: '<p>sea</p>',
    wrong: '<p>no sea</p>',
    tree: `
- heading "Question 1" [level=3]
- toolbar "Formatting":
  - button "Bold"
  - button "Italic"
  - button "Underline"
  - button "Strikethrough"
  - button "Superscript"
  - button "Subscript"
  - button "Code"
  - button "Bulleted list"
  - button "Numbered list"
  - button "Increase indent"
  - button "Decrease indent" [disabled]
  - button "Quotation"
  - button "Align left"
  - button "Centre"
  - button "Align right"
  - button "Justify"
  - button "Text from left to right"
  - button "Text from right to left"
  - button "Horizontal line"
  - button "Insert a table"
  - button "Mathematical characters"
  - button "Remove formatting"
  - button "Undo" [disabled]
  - button "Redo" [disabled]
  - button "Special characters"
- textbox "Question 1":
  - paragraph
- paragraph: "Words: 0 of 3"
`,
    review: { score: 1, maxScore: 5 },
    marks: ['Score: 1 of 5'],
  },
];
