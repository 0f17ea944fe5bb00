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
import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FaultPlace } from '../operations/fault';
import { numberOf } from '../texts/texts';
import { placeInJson } from './json-places';
import { useUiTexts } from './texts';

/** Characters that the editor takes. More would make the page stop at each key. */
const MAX_LENGTH = 1_000_000;

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
  const t = useUiTexts();
  const [isRefused, setRefused] = useState(false);
  const changed = useRef(change);
  useEffect(() => {
    changed.current = change;
  });

  useEffect(() => {
    // What is stored may be longer. It is shown without colours and checks, and may only become shorter.
    const isLong = value.length > MAX_LENGTH;
    const most = Math.max(MAX_LENGTH, value.length);
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
          ...(isLong
            ? []
            : [
                syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
                json(),
                linter(jsonParseLinter()),
                lintGutter(),
              ]),
          EditorView.domEventHandlers({
            // Before the editor takes the text apart.
            paste(event) {
              const isTooLong = (event.clipboardData?.getData('text/plain').length ?? 0) > MAX_LENGTH;
              if (isTooLong) event.preventDefault();
              setRefused(isTooLong);
              return isTooLong;
            },
            drop(event) {
              const isTooLong = (event.dataTransfer?.getData('text/plain').length ?? 0) > MAX_LENGTH;
              if (isTooLong) event.preventDefault();
              setRefused(isTooLong);
              return isTooLong;
            },
          }),
          EditorState.changeFilter.of((transaction) => {
            const isTooLong = transaction.newDoc.length > most;
            if (isTooLong) setRefused(true);
            return !isTooLong;
          }),
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

  return (
    <>
      <div ref={host} />
      {isRefused && (
        <Text c="red.8" size="sm" role="alert">
          {t('json_too_long', numberOf(MAX_LENGTH))}
        </Text>
      )}
    </>
  );
}
