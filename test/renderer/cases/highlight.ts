import type { DrawingCase } from '../support/drawing';

const map =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='600' height='300'%3E%3Crect width='600' height='300' fill='%23dde'/%3E%3Ccircle cx='180' cy='150' r='80' fill='%239c9'/%3E%3C/svg%3E";

export const highlight: [DrawingCase, ...DrawingCase[]] = [
  {
    name: 'two colours on a map',
    type: 'highlight',
    question: {
      stimulus: 'Highlight <b>Spain</b>.',
      image: { src: map, alt: 'A map' },
      line_color: ['rgba(255, 0, 0, 0.8)', 'no colour'],
      line_width: '8',
    },
    keys: [
      ['slider', 'Across', 'Home'],
      ['slider', 'Across', 'ArrowRight'],
      ['button', 'Mark the point', 'Enter'],
      ['slider', 'Down', 'End'],
      ['button', 'Lead the line to the point', 'Space'],
      ['radio', 'Colour 1', 'ArrowDown'],
      ['button', 'Mark the point', 'Enter'],
    ],
    value: [
      {
        color: 'rgba(255, 0, 0, 0.8)',
        points: [
          { x: 1, y: 50 },
          { x: 1, y: 100 },
        ],
      },
      { color: 'no colour', points: [{ x: 1, y: 100 }] },
    ],
    wrong: [
      {
        color: 'rgba(255, 0, 0, 0.8)',
        points: [
          { x: 20, y: 30 },
          { x: 40, y: 30 },
          { x: 30, y: 80 },
        ],
      },
      { color: 'no colour', points: [{ x: 70, y: 50 }] },
    ],
    tree: `
- heading "Question 1" [level=3]
- text: Highlight Spain.
- img "A map"
- paragraph: "Marks: 0"
- paragraph: Draw on the image with a mouse or a finger. Or set a point with the two sliders, and mark it or lead the last line to it.
- radiogroup "Colour":
  - radio "Colour 1" [checked]
  - text: Colour 1
  - radio "Colour 2"
  - text: Colour 2
- group "Highlight Spain.":
  - text: Across
  - slider "Across": "50"
  - text: Down
  - slider "Down": "50"
  - button "Mark the point"
  - button "Lead the line to the point"
  - button "Take the last mark away"
  - button "Take all marks away"
`,
    review: { score: 1, maxScore: 3, rationale: '<p>Portugal is marked too.</p>' },
    marks: ['Marks: 2', 'From 20 % across, 30 % down', 'Portugal is marked too.'],
  },
  {
    name: 'as it was written before images were objects',
    type: 'highlight',
    question: { img_src: map, line_color: 'blue' },
    keys: [['button', 'Lead the line to the point', 'Enter']],
    value: [{ color: 'blue', points: [{ x: 50, y: 50 }] }],
    wrong: [{ points: [{ x: 5, y: 5 }] }],
    tree: `
- heading "Question 1" [level=3]
- img "Image"
- paragraph: "Marks: 0"
- paragraph: Draw on the image with a mouse or a finger. Or set a point with the two sliders, and mark it or lead the last line to it.
- group "Question 1":
  - text: Across
  - slider "Across": "50"
  - text: Down
  - slider "Down": "50"
  - button "Mark the point"
  - button "Lead the line to the point"
  - button "Take the last mark away"
  - button "Take all marks away"
`,
    review: { score: 2, maxScore: 2 },
    marks: ['Score: 2 of 2'],
  },
];
