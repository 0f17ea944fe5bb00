import { lift, toggleMark, wrapIn } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { liftListItem, sinkListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, TextSelection } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from 'prosemirror-tables';
import { type Layout, MAX_STEPS } from './schema';

/* The tools find the types of formats by name. So they work with every schema that has these names. */

/** A button of the toolbar. */
export interface Tool {
  /** The outline of its picture, in a square of 16 by 16. */
  outline: string;
  /** Without a dispatch function, it changes nothing and returns whether it could run. */
  run: Command;
  /** Whether the selection has this format. Absent for tools that apply no format, such as undo. */
  isOn?: (state: EditorState) => boolean;
  key?: string;
}

function markTool(name: string, outline: string, key?: string): Tool {
  return {
    outline,
    key,
    run: (state, dispatch) => toggleMark(state.schema.marks[name]!)(state, dispatch),
    isOn: ({ schema, doc, selection: { empty, from, to, $from }, storedMarks }) => {
      const type = schema.marks[name]!;
      return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
    },
  };
}

/** The innermost node of these types around the selection, with its position. */
function around({ selection: { $from } }: EditorState, ...names: readonly string[]) {
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if (names.includes($from.node(depth).type.name)) return { node: $from.node(depth), position: $from.before(depth) };
  return undefined;
}

const listAround = (state: EditorState) => around(state, 'bullet_list', 'ordered_list');

const moveListItem =
  (move: typeof sinkListItem): Command =>
  (state, dispatch) =>
    move(state.schema.nodes['list_item']!)(state, dispatch);
const sink = moveListItem(sinkListItem);
const raise = moveListItem(liftListItem);

function listTool(name: 'bullet_list' | 'ordered_list', outline: string): Tool {
  return {
    outline,
    isOn: (state) => listAround(state)?.node.type.name === name,
    run: (state, dispatch) => {
      const list = listAround(state);
      const type = state.schema.nodes[name]!;
      if (!list) return wrapInList(type)(state, dispatch);
      if (list.node.type === type) return raise(state, dispatch);
      dispatch?.(state.tr.setNodeMarkup(list.position, type));
      return true;
    },
  };
}

const isLaidOut = ({ type: { name } }: Node): boolean => name === 'paragraph' || name === 'heading';

/** Changes the layout of all selected paragraphs and headings. */
const setLayout =
  (change: (layout: Layout) => Partial<Layout>): Command =>
  (state, dispatch) => {
    const { tr, doc, selection } = state;
    doc.nodesBetween(selection.from, selection.to, (node, position) => {
      if (isLaidOut(node)) tr.setNodeMarkup(position, null, { ...node.attrs, ...change(node.attrs as Layout) });
    });
    if (!tr.docChanged) return false;
    dispatch?.(tr);
    return true;
  };

const layoutTool = (attribute: 'align' | 'dir', value: string, outline: string): Tool => {
  const isOn = (state: EditorState) => around(state, 'paragraph', 'heading')?.node.attrs[attribute] === value;
  return {
    outline,
    isOn,
    run: (state, dispatch) => setLayout(() => ({ [attribute]: isOn(state) ? null : value }))(state, dispatch),
  };
};

const indentTool = (step: 1 | -1, outline: string): Tool => ({
  outline,
  run: (state, dispatch) => {
    if (listAround(state)) return (step > 0 ? sink : raise)(state, dispatch);
    const present = Number(around(state, 'paragraph', 'heading')?.node.attrs['indent'] ?? 0);
    if (present + step < 0 || present + step > MAX_STEPS) return false;
    return setLayout(({ indent }) => ({ indent: Math.min(MAX_STEPS, Math.max(0, indent + step)) }))(state, dispatch);
  },
});

const removeFormat: Command = (state, dispatch) => {
  const { from, to, empty } = state.selection;
  const tr = state.tr.removeMark(from, to);
  state.doc.nodesBetween(from, to, (node, position) => {
    if (isLaidOut(node)) tr.setNodeMarkup(position, state.schema.nodes['paragraph'], null);
  });
  dispatch?.(empty ? tr.setStoredMarks([]) : tr);
  return true;
};

const insertLine: Command = ({ tr, schema: { nodes } }, dispatch) => {
  tr.replaceSelectionWith(nodes['horizontal_rule']!.create());
  const end = tr.selection.to;
  if (end === tr.doc.content.size) tr.insert(end, nodes['paragraph']!.create());
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(end), 1)).scrollIntoView());
  return true;
};

const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const { nodes } = state.schema;
  const cell = (): Node => nodes['table_cell']!.createAndFill()!;
  const row = (): Node => nodes['table_row']!.create(null, [cell(), cell()]);
  const table = nodes['table']!.create(null, [row(), row(), row()]);
  const tr = state.tr.replaceSelectionWith(table);
  const start = tr.mapping.map(state.selection.from, -1);
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(start + 1))).scrollIntoView());
  return true;
};

const LEFT = 'M2 3h12M2 6h8M2 9h12M2 12h8';

/** The tools by their names in `formatting_options`. */
export const TOOLS = {
  bold: markTool('bold', 'M5 2.5h3.5a2.6 2.6 0 0 1 0 5.2H5zM5 7.7h4.2a2.9 2.9 0 0 1 0 5.8H5z', 'Mod-b'),
  italic: markTool('italic', 'M7 2.5h5M4 13.5h5M9.6 2.5l-3.2 11', 'Mod-i'),
  underline: markTool('underline', 'M4.5 2v5.5a3.5 3.5 0 0 0 7 0V2M3.5 14h9', 'Mod-u'),
  strikethrough: markTool(
    'strikethrough',
    'M11.5 4.5C11 2 5 1.8 5 5c0 1.5 1.3 2.2 3 3M2 8h12M4.5 11c.5 3.5 7 3.5 7 .2',
  ),
  superscript: markTool('superscript', 'M2 6l6 7M8 6l-6 7M10.5 2.5c2.5-1.5 3.5.8 1.8 2.2L10.5 6.5h3.5'),
  subscript: markTool('subscript', 'M2 3l6 7M8 3l-6 7M10.5 10.5c2.5-1.5 3.5.8 1.8 2.2l-1.8 1.8h3.5'),
  codeInline: markTool('code', 'M5.5 4L2 8l3.5 4M10.5 4L14 8l-3.5 4'),
  unorderedList: listTool('bullet_list', 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01'),
  orderedList: listTool('ordered_list', 'M7 4h7M7 8h7M7 12h7M2.5 2.5l1-.5v3.5M2.3 9.5c2-1 2.2.8.2 2.5v.5h1.8'),
  blockquote: {
    outline: 'M3 4v8M6 4h8M6 8h8M6 12h5',
    isOn: (state) => around(state, 'blockquote') !== undefined,
    run: (state, dispatch) =>
      around(state, 'blockquote') ? lift(state, dispatch) : wrapIn(state.schema.nodes['blockquote']!)(state, dispatch),
  },
  alignLeft: layoutTool('align', 'left', LEFT),
  alignCenter: layoutTool('align', 'center', 'M2 3h12M4 6h8M2 9h12M4 12h8'),
  alignRight: layoutTool('align', 'right', 'M2 3h12M6 6h8M2 9h12M6 12h8'),
  alignJustify: layoutTool('align', 'justify', 'M2 3h12M2 6h12M2 9h12M2 12h12'),
  indentIncrease: indentTool(1, 'M2 3h12M8 6.5h6M8 9.5h6M2 13h12M2 5.5L4.5 8 2 10.5'),
  indentDecrease: indentTool(-1, 'M2 3h12M8 6.5h6M8 9.5h6M2 13h12M4.5 5.5L2 8l2.5 2.5'),
  textDirectionLtr: layoutTool('dir', 'ltr', 'M2 8h11M9.5 4.5L13 8l-3.5 3.5'),
  textDirectionRtl: layoutTool('dir', 'rtl', 'M14 8H3M6.5 4.5L3 8l3.5 3.5'),
  insertHorizontalRule: {
    outline: 'M2 8h12M4 4.5h8M4 11.5h8',
    run: insertLine,
  },
  table: { outline: 'M2 3h12v10H2zM2 6.5h12M2 9.8h12M8 3v10', run: insertTable },
  removeFormat: { outline: 'M3 3h8M7 3L5.5 10M9.5 9.5l4 4M13.5 9.5l-4 4', run: removeFormat },
  undo: { outline: 'M5.5 3L2.5 6l3 3M2.5 6h6.5a4 4 0 0 1 0 8H6', run: undo },
  redo: { outline: 'M10.5 3l3 3-3 3M13.5 6H7a4 4 0 0 0 0 8h3', run: redo },
} satisfies Record<string, Tool>;

/** Tools that are offered while the caret is in a table. */
export const TABLE_TOOLS = {
  addRow: { outline: 'M2 2.5h12v5H2zM8 2.5v5M8 10v5M5.5 12.5h5', run: addRowAfter },
  addColumn: { outline: 'M2.5 2v12h5V2zM2.5 8h5M10 8h5M12.5 5.5v5', run: addColumnAfter },
  deleteRow: { outline: 'M2 2.5h12v5H2zM8 2.5v5M5.5 12.5h5', run: deleteRow },
  deleteColumn: { outline: 'M2.5 2v12h5V2zM2.5 8h5M10 8h5', run: deleteColumn },
  deleteTable: { outline: 'M2 3h12v10H2zM4.5 5.5l7 5M11.5 5.5l-7 5', run: deleteTable },
} satisfies Record<string, Tool>;
