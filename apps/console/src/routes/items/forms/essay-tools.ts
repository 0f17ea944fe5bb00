import { texts } from '../../../texts/texts';

const en = {
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strikethrough: 'Strikethrough',
  superscript: 'Superscript',
  subscript: 'Subscript',
  codeInline: 'Code',
  unorderedList: 'Bulleted list',
  orderedList: 'Numbered list',
  indentIncrease: 'Increase indent',
  indentDecrease: 'Decrease indent',
  blockquote: 'Quotation',
  alignLeft: 'Align left',
  alignCenter: 'Centre',
  alignRight: 'Align right',
  alignJustify: 'Justify',
  textDirectionLtr: 'Text from left to right',
  textDirectionRtl: 'Text from right to left',
  insertHorizontalRule: 'Horizontal line',
  table: 'Insert a table',
  removeFormat: 'Remove formatting',
  undo: 'Undo',
  redo: 'Redo',
  charactermap: 'Special characters',
  mathCharacterMap: 'Mathematical characters',
};

const de: typeof en = {
  bold: 'Fett',
  italic: 'Kursiv',
  underline: 'Unterstrichen',
  strikethrough: 'Durchgestrichen',
  superscript: 'Hochgestellt',
  subscript: 'Tiefgestellt',
  codeInline: 'Code',
  unorderedList: 'Aufzählung',
  orderedList: 'Nummerierte Liste',
  indentIncrease: 'Einzug vergrößern',
  indentDecrease: 'Einzug verkleinern',
  blockquote: 'Zitat',
  alignLeft: 'Linksbündig',
  alignCenter: 'Zentriert',
  alignRight: 'Rechtsbündig',
  alignJustify: 'Blocksatz',
  textDirectionLtr: 'Text von links nach rechts',
  textDirectionRtl: 'Text von rechts nach links',
  insertHorizontalRule: 'Waagerechte Linie',
  table: 'Tabelle einfügen',
  removeFormat: 'Formatierung entfernen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  charactermap: 'Sonderzeichen',
  mathCharacterMap: 'Mathematische Zeichen',
};

/** The names of tools in `formatting_options`. */
export const TOOL_NAMES = Object.keys(en) as (keyof typeof en)[];

export const essayTools = { en, de };

export const useEssayTools = texts(essayTools);
