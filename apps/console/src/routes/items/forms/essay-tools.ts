import { texts } from '../../../texts/texts';

const en = {
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strikethrough: 'Strikethrough',
  superscript: 'Superscript',
  subscript: 'Subscript',
  code: 'Code',
  unorderedList: 'Bulleted list',
  orderedList: 'Numbered list',
  indentIncrease: 'Increase indent',
  indentDecrease: 'Decrease indent',
  blockquote: 'Quotation',
  alignLeft: 'Align left',
  alignCenter: 'Centre',
  alignRight: 'Align right',
  alignJustify: 'Justify',
  ltr: 'Text from left to right',
  rtl: 'Text from right to left',
  horizontalRule: 'Horizontal line',
  table: 'Insert a table',
  removeFormat: 'Remove formatting',
  undo: 'Undo',
  redo: 'Redo',
  characterMap: 'Special characters',
};

const de: typeof en = {
  bold: 'Fett',
  italic: 'Kursiv',
  underline: 'Unterstrichen',
  strikethrough: 'Durchgestrichen',
  superscript: 'Hochgestellt',
  subscript: 'Tiefgestellt',
  code: 'Code',
  unorderedList: 'Aufzählung',
  orderedList: 'Nummerierte Liste',
  indentIncrease: 'Einzug vergrößern',
  indentDecrease: 'Einzug verkleinern',
  blockquote: 'Zitat',
  alignLeft: 'Linksbündig',
  alignCenter: 'Zentriert',
  alignRight: 'Rechtsbündig',
  alignJustify: 'Blocksatz',
  ltr: 'Text von links nach rechts',
  rtl: 'Text von rechts nach links',
  horizontalRule: 'Waagerechte Linie',
  table: 'Tabelle einfügen',
  removeFormat: 'Formatierung entfernen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  characterMap: 'Sonderzeichen',
};

/** The names of tools in `formatting_options`. */
export const TOOL_NAMES = Object.keys(en) as (keyof typeof en)[];

export const essayTools = { en, de };

export const useEssayTools = texts(essayTools);
