import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { gapCursor } from 'prosemirror-gapcursor';
import { history, redo, undo } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Schema } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { AllSelection, type Command, type Plugin, TextSelection } from 'prosemirror-state';
import { cellAround, goToNextCell, tableEditing } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { type Tool, TOOLS } from './tools';

/** The keys and the history of an editor with these tools. */
export function pluginsFor({ nodes }: Schema, tools: readonly (keyof typeof TOOLS)[]): Plugin[] {
  const item = nodes['list_item']!;
  const keys: Record<string, Command> = {
    'Mod-a': selectText,
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    Enter: splitListItem(item),
    'Shift-Enter': chainCommands(exitCode, (state, dispatch) => {
      dispatch?.(state.tr.replaceSelectionWith(nodes['hard_break']!.create()).scrollIntoView());
      return true;
    }),
    'Mod-]': sinkListItem(item),
    'Mod-[': liftListItem(item),
    // From the last cell, Tab leaves the field.
    Tab: goToNextCell(1),
    'Shift-Tab': goToNextCell(-1),
  };
  for (const name of tools) {
    const { key, run }: Tool = TOOLS[name];
    if (key) keys[key] = run;
  }
  return [history(), keymap(keys), keymap(baseKeymap), gapCursor(), tableEditing()];
}

/**
 * Selects from the first to the last letter. The library's command selects the whole document, around which the tools find no
 * list or paragraph. A selection of letters cannot leave a cell, so a text that begins or ends in a table is selected as a
 * document all the same.
 */
const selectText: Command = ({ doc, tr }, dispatch) => {
  const letters = TextSelection.between(doc.resolve(0), doc.resolve(doc.content.size));
  const isFromCell = [letters.$from, letters.$to].some((place) => cellAround(place) !== null);
  dispatch?.(tr.setSelection(isFromCell ? new AllSelection(doc) : letters));
  return true;
};

/** Inserts what is dropped from elsewhere as plain text. @returns whether the drop was handled. */
export function dropText(view: EditorView, event: DragEvent): boolean {
  if (view.dragging || !view.editable) return false;
  event.preventDefault();
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
  const text = event.dataTransfer?.getData('text/plain');
  if (text && place && view.state.doc.resolve(place.pos).parent.inlineContent)
    view.dispatch(view.state.tr.insertText(text, place.pos));
  return true;
}
