import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  ensureSyntaxTree,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import {
  type Diagnostic,
  linter,
  lintGutter,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnosticsEffect,
} from '@codemirror/lint';
import { EditorState, StateEffect, type Text as Doc } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FaultPlace } from '../operations/fault';
import { numberOf, useLanguage } from '../texts/texts';
import { type JsonSchema, MAX_PROBLEMS, type Problem, problemsBySchema } from './json-lint';
import { mistakeIn } from './json-mistake';
import { JsonProblems, type PlacedProblem } from './json-problems';
import { useJsonTexts } from './json-texts';
import { nodeAt, type Tree } from './json-tree';

/** Characters that the editor takes. More would make the page stop at each key. */
const MAX_LENGTH = 1_000_000;
/** The editor parses long texts in steps of this length, so that typing stays possible. */
const STEP_MS = 20;

/** A fault or warning of the service about one value. It is shown until the value changes. */
type Remark = Pick<FaultPlace, 'pointer' | 'message'>;

interface JsonEditorProps {
  label: string;
  value: string;
  change: (value: string) => void;
  isReadOnly?: boolean;
  /** From `operations/schemas`. */
  schema?: JsonSchema;
  /** Why the service refused the text, with pointers into it. */
  faults?: readonly Remark[];
  /** Likely mistakes that the service found, with pointers into the text. */
  warnings?: readonly Remark[];
  height?: string;
}

const NONE: readonly Remark[] = [];
const remarksChanged = StateEffect.define<null>();

/** The colours of the editor library are for a white ground. */
const COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const { color } = spec as { color?: string };
    return color ? { ...spec, color: `light-dark(${color}, color-mix(in srgb, ${color} 35%, white))` } : spec;
  }),
);

/** An editor for JSON, which marks mistakes and lists them. Tab indents; Escape, then Tab, leaves it. */
export default function JsonEditor({
  label,
  value,
  change,
  isReadOnly = false,
  schema,
  faults = NONE,
  warnings = NONE,
  height = '60vh',
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const t = useJsonTexts();
  const language = useLanguage();
  const [isRefused, setRefused] = useState(false);
  const [problems, setProblems] = useState<readonly PlacedProblem[]>();
  const [cursor, setCursor] = useState(0);
  const isLong = value.length > MAX_LENGTH;
  const remarks = useMemo(
    () => [
      ...faults.map((remark) => ({ remark, severity: 'error' as const })),
      ...warnings.map((remark) => ({ remark, severity: 'warning' as const })),
    ],
    [faults, warnings],
  );
  /** The properties of the last rendering, for callbacks of the editor, which is created only once. */
  const latest = useRef({ change, schema, remarks, t });
  useEffect(() => {
    latest.current = { change, schema, remarks, t };
  });

  useEffect(() => {
    // A stored text may be longer. It is shown without colours and checks, and may only become shorter.
    const wasLong = value.length > MAX_LENGTH;
    const most = Math.max(MAX_LENGTH, value.length);
    const seen = new WeakMap<Remark, string>();
    let listed: readonly PlacedProblem[] = [];
    const refuseLong = (event: Event, data: DataTransfer | null) => {
      const isTooLong = (data?.getData('text/plain').length ?? 0) > MAX_LENGTH;
      if (isTooLong) event.preventDefault();
      setRefused(isTooLong);
      return isTooLong;
    };
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
          ...(wasLong
            ? []
            : [
                syntaxHighlighting(COLOURS),
                json(),
                linter((linted) => check(linted), {
                  delay: 300,
                  needsRefresh: ({ transactions }) =>
                    transactions.some(({ effects }) => effects.some((effect) => effect.is(remarksChanged))),
                }),
                lintGutter(),
              ]),
          EditorView.domEventHandlers({
            // Before the editor takes the text apart.
            paste: (event) => refuseLong(event, event.clipboardData),
            drop: (event) => refuseLong(event, event.dataTransfer),
          }),
          EditorState.changeFilter.of((transaction) => {
            const isTooLong = transaction.newDoc.length > most;
            if (isTooLong) setRefused(true);
            return !isTooLong;
          }),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          keymap.of([
            { key: 'F8', run: nextDiagnostic },
            { key: 'Shift-F8', run: previousDiagnostic },
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.change(update.state.doc.toString());
            // The list and the marks change together.
            const isChecked = update.transactions.some(({ effects }) =>
              effects.some((effect) => effect.is(setDiagnosticsEffect)),
            );
            if (isChecked) setProblems(listed);
            if (update.selectionSet || update.docChanged) setCursor(update.state.selection.main.from);
          }),
          EditorView.theme({
            '&': { height, border: '1px solid var(--mantine-color-default-border)', borderRadius: '4px' },
            '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mantine-font-family-monospace)' },
            '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)' },
            '.cm-cursor': { borderLeftColor: 'currentColor' },
            '.cm-tooltip': { backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' },
          }),
        ],
      }),
    });

    async function check(linted: EditorView): Promise<Diagnostic[]> {
      const { doc } = linted.state;
      const found = await problemsOf(linted, doc);
      if (linted.state.doc !== doc) return [];
      listed = found;
      return found.map(({ from, to, severity, message }) => ({ from, to, severity, message }));
    }

    async function problemsOf(linted: EditorView, doc: Doc): Promise<PlacedProblem[]> {
      const texts = latest.current.t;
      const mistake = mistakeIn(doc.toString());
      if (mistake) return placed([{ ...mistake, severity: 'error', message: texts(mistake.key) }], doc);
      const tree = await treeOf(linted, doc);
      return placed(
        [
          ...(latest.current.schema ? problemsBySchema(latest.current.schema, tree, doc, texts) : []),
          ...remarked(tree, doc, latest.current.remarks, seen),
        ],
        doc,
      );
    }

    view.current = editor;
    return () => editor.destroy();
    // Sets the initial text. The effect below applies later texts.
  }, [label, isReadOnly, height]);

  useEffect(() => {
    const editor = view.current!;
    const present = editor.state.doc.toString();
    if (present !== value) editor.dispatch({ changes: { from: 0, to: present.length, insert: value } });
  }, [value]);

  useEffect(() => view.current!.dispatch({ effects: remarksChanged.of(null) }), [remarks, language]);

  function goTo({ from }: PlacedProblem) {
    view.current!.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    view.current!.focus();
  }

  const current = problems?.find(({ from, to }) => cursor >= from && cursor <= to);
  return (
    <Stack gap={4}>
      <div ref={host} />
      {isRefused && (
        <Text size="sm" role="alert">
          {t('too_long', numberOf(MAX_LENGTH))}
        </Text>
      )}
      {isLong ? (
        <Text size="sm">{t('unchecked', numberOf(MAX_LENGTH))}</Text>
      ) : (
        <JsonProblems t={t} problems={problems} current={current} goTo={goTo} />
      )}
    </Stack>
  );
}

/** The tree of the whole text, parsed in short steps. */
async function treeOf({ state }: EditorView, doc: Doc): Promise<Tree> {
  for (;;) {
    const tree = ensureSyntaxTree(state, doc.length, STEP_MS);
    if (tree) return tree;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

interface Remarked {
  remark: Remark;
  severity: Problem['severity'];
}

/** Remarks at the places of their values, except about values that have changed. `seen` keeps the remarked values. */
function remarked(tree: Tree, doc: Doc, remarks: readonly Remarked[], seen: WeakMap<Remark, string>): Problem[] {
  return remarks.slice(0, MAX_PROBLEMS).flatMap(({ remark, severity }) => {
    const { from, to } = nodeAt(tree, doc, remark.pointer);
    const value = doc.sliceString(from, to);
    const before = seen.get(remark) ?? value;
    seen.set(remark, before);
    return value === before ? [{ from, to, severity, message: remark.message }] : [];
  });
}

/** Problems in the order of the text. Each mark ends with its first line: a mark of many lines would not show its cause. */
function placed(problems: readonly Problem[], doc: Doc): PlacedProblem[] {
  return problems
    .map((problem) => {
      const line = doc.lineAt(problem.from);
      return { ...problem, to: Math.min(problem.to, line.to), line: line.number, column: problem.from - line.from + 1 };
    })
    .sort((one, other) => one.from - other.from);
}
