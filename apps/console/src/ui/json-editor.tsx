import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FaultPlace } from '../operations/fault';
import { placeInJson } from './json-places';

interface JsonEditorProps {
  label: string;
  value: string;
  change: (value: string) => void;
  isReadOnly?: boolean;
  /** Faults to mark, with pointers into the text. */
  faults?: readonly FaultPlace[];
  height?: string;
}

/** An editor for JSON. Tab indents; Escape, then Tab, leaves it. */
export default function JsonEditor({
  label,
  value,
  change,
  isReadOnly = false,
  faults = [],
  height = '60vh',
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useRef(change);
  useEffect(() => {
    changed.current = change;
  });

  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          indentOnInput(),
          bracketMatching(),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          json(),
          linter(jsonParseLinter()),
          lintGutter(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
          }),
          EditorView.theme({
            '&': { height, border: '1px solid var(--mantine-color-default-border)', borderRadius: '4px' },
            '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mantine-font-family-monospace)' },
            '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)' },
            '.cm-cursor': { borderLeftColor: 'currentColor' },
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // Sets the initial text. The effect below applies later texts.
  }, [label, isReadOnly, height]);

  useEffect(() => {
    const editor = view.current!;
    const present = editor.state.doc.toString();
    if (present !== value) editor.dispatch({ changes: { from: 0, to: present.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current!;
    const text = editor.state.doc.toString();
    const diagnostics = faults.map(({ pointer, message }): Diagnostic => {
      const { from, to } = placeInJson(text, pointer);
      return { from, to, severity: 'error', message };
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [faults]);

  return <div ref={host} />;
}
