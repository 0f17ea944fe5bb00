import type { TypingCase } from '../support/typing';

export const formulaV2: [TypingCase, ...TypingCase[]] = [
  {
    name: 'a fraction',
    type: 'formulaV2',
    question: { stimulus: 'Half of x.' },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: [{ method: 'equivSymbolic', value: '\\frac{x}{2}' }] },
    },
    typed: [['Half of x.', 'x/2']],
    value: 'x/2',
    wrong: '2x',
    tree: `
- heading "Question 1" [level=3]
- text: Half of x.
- textbox "Half of x."
- button "Symbols"
- button "Type as formula"
`,
    review: { score: 0, maxScore: 1, parts: [false], correct: [{ method: 'equivSymbolic', value: '\\frac{x}{2}' }] },
    marks: ['Incorrect', 'Correct answer'],
  },
  {
    name: 'two places of a template, with symbols, numbers and texts of the author',
    type: 'formulaV2',
    question: {
      stimulus: 'Five eighths, with its unit.',
      template: '\\frac{{{response}}}{{{response}}}\\text{ m}',
      symbols: ['greek', 'unheard_of', '\\degree', { symbol: '\\dag', title: 'Signs', value: ['\\dag', '\\ddag'] }],
      numberPad: [
        ['1', '2'],
        ['3', '8'],
      ],
      text_blocks: ['if', 'then'],
      ui_style: { type: 'block-keyboard' },
      response_container: { placeholder: 'number', width: '96px' },
    },
    validation: {
      scoring_type: 'exactMatch',
      valid_response: { score: 1, value: [{ method: 'stringMatch', value: '\\frac{5}{8}\\text{ m}' }] },
    },
    typed: [
      ['Blank 1 of 2', '5'],
      ['Blank 2 of 2', '8'],
    ],
    value: '\\frac{5}{8}\\text{ m}',
    wrong: '\\frac{8}{}\\text{ m}',
    tree: `
- heading "Question 1" [level=3]
- text: Five eighths, with its unit.
- math "(□_1)/(□_2) m": □ 1 □ 2 m
- textbox "Blank 1 of 2":
  - /placeholder: number
- textbox "Blank 2 of 2":
  - /placeholder: number
- button "Symbols" [expanded]
- button "Type as formula"
- toolbar "Groups of symbols":
  - button "Numbers" [pressed]
  - button "Greek"
  - button "Signs"
  - button "More"
  - button "Texts"
- toolbar "Numbers":
  - button "1"
  - button "2"
  - button "3"
  - button "8"
`,
    review: {
      score: 0,
      maxScore: 1,
      parts: [false],
      correct: [{ method: 'stringMatch', value: '\\frac{5}{8}\\text{ m}' }],
    },
    marks: ['Incorrect', 'Correct answer'],
  },
];
