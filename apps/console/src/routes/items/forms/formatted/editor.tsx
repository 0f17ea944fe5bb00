import { ActionIcon, Group, Input } from '@mantine/core';
import type { Node } from 'prosemirror-model';
import { EditorState, Selection, TextSelection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { EditorView, type NodeView } from 'prosemirror-view';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { dropText, moveInToolbar, pluginsFor, TABLE_TOOLS, type Tool, TOOLS } from '#renderer/rich-text';
import { bodyOfMarkup } from '../../../../texts/markup';
import { isWritingElsewhere, type TextFieldProps } from '../text-field';
import './formatted.css';
import { LinkButton } from './link-button';
import { documentOf, htmlOf, parser } from './markup';
import { pasted } from './pasted';
import { schema, serializer } from './schema';
import { useFormattedTexts } from './texts';

const SHORT = ['bold', 'italic', 'underline', 'superscript', 'subscript'] as const;
const LONG = [
  ...SHORT,
  ...(['unorderedList', 'orderedList', 'blockquote', 'alignLeft', 'alignCenter', 'alignRight', 'table'] as const),
] as const;
const ANY = ['removeFormat', 'undo', 'redo'] as const;

interface EditorProps extends TextFieldProps {
  /** Called for a text of which the editor would lose something. */
  refuse: () => void;
}

/** A formatted text, as people write it. Markup that it cannot show is kept as a named box. */
export default function FormattedText(props: EditorProps) {
  const { label, value, rows, takesFocus, refuse, buttons } = props;
  const isShort = rows === 1;
  const id = useId();
  const t = useFormattedTexts();
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const [state, setState] = useState<EditorState>();
  /** The text that the editor shows. */
  const shown = useRef<string>(undefined);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  // Before the browser paints, so that the field does not grow afterwards.
  useLayoutEffect(() => {
    const doc = documentOf(latest.current.value, isShort);
    if (!doc) return latest.current.refuse();
    shown.current = latest.current.value;
    const made: EditorView = new EditorView(
      { mount: place.current! },
      {
        state: stateOf(doc, isShort),
        attributes: { class: 'formatted', role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': id },
        clipboardSerializer: serializer,
        nodeViews: {
          image: ({ attrs }) => box(t('image', String(attrs['alt'] ?? ''))),
          kept_inline: ({ attrs }) => box(nameOf(String(attrs['html']))),
          kept_block: ({ attrs }) => box(nameOf(String(attrs['html'])), 'div'),
        },
        handleDOMEvents: { focus: restoreCaret, paste, drop: dropText },
        dispatchTransaction(transaction) {
          const next = made.state.apply(transaction);
          made.updateState(next);
          setState(next);
          if (!transaction.docChanged) return;
          shown.current = htmlOf(next.doc);
          latest.current.change(shown.current);
        },
      },
    );
    setView(made);
    setState(made.state);
    if (takesFocus) made.focus();
    return () => made.destroy();
  }, []);

  // Somebody else changed the text, such as the JSON view or a restored revision.
  useEffect(() => {
    if (!view || value === shown.current) return;
    const doc = documentOf(value, isShort);
    if (!doc) return refuse();
    shown.current = value;
    view.updateState(stateOf(doc, isShort));
    setState(view.state);
  }, [view, value, isShort, refuse]);

  function insert(before: string, after = '') {
    if (!view) return;
    const { tr, selection } = view.state;
    const { from, to } = selection;
    if (before.startsWith('<')) tr.replaceSelection(parser.parseSlice(bodyOfMarkup(before)));
    else {
      tr.insertText(before, from, from).insertText(after, to + before.length);
      tr.setSelection(TextSelection.create(tr.doc, from + before.length, to + before.length));
    }
    view.dispatch(tr.scrollIntoView());
    // A dialog that closes gives the focus back first.
    requestAnimationFrame(() => {
      if (!isWritingElsewhere(view.dom)) view.focus();
    });
  }

  const button = ([name, { run, isOn, outline }]: [string, Tool], index?: number) => {
    const isPossible = view && state && run(state, undefined, view);
    const isPressed = state && isOn?.(state);
    return (
      <ActionIcon
        key={name}
        variant={isPressed ? 'filled' : 'default'}
        aria-label={t(name as keyof typeof TOOLS)}
        title={t(name as keyof typeof TOOLS)}
        aria-pressed={isPressed}
        aria-disabled={!isPossible}
        data-disabled={!isPossible || undefined}
        tabIndex={index === 0 ? 0 : -1}
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ detail }) => {
          if (!view) return;
          run(view.state, view.dispatch.bind(view), view);
          // A click by keyboard has no detail. The focus then stays in the toolbar.
          if (detail > 0) view.focus();
        }}
      >
        <svg viewBox="0 0 16 16" width={16} height={16} fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden>
          <path d={outline} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      </ActionIcon>
    );
  };
  const tools = [...(isShort ? SHORT : LONG), ...ANY].map((name): [string, Tool] => [name, TOOLS[name]]);
  const tableTools = state && isInTable(state) ? Object.entries<Tool>(TABLE_TOOLS) : [];

  return (
    <>
      <Input.Wrapper label={label} labelElement="div" labelProps={{ id, onClick: () => view?.focus() }}>
        <div ref={place} style={{ minHeight: `${rows * 1.55 + 1}rem` }} />
      </Input.Wrapper>
      {buttons(
        <Group gap={4} role="toolbar" aria-label={t('formatting')} ref={listen}>
          {tools.map(button)}
          <LinkButton view={view} state={state} />
          {tableTools.map((tool) => button(tool))}
        </Group>,
        insert,
      )}
    </>
  );
}

/** The handler needs the event of the browser, whose `currentTarget` is the toolbar. */
function listen(toolbar: HTMLElement | null) {
  toolbar?.addEventListener('keydown', moveInToolbar);
}

const stateOf = (doc: Node, isShort: boolean): EditorState =>
  EditorState.create({ doc, selection: Selection.atEnd(doc), plugins: pluginsFor(schema, isShort ? SHORT : LONG) });

/** Stands for what the page does not show. */
function box(name: string, tag: 'span' | 'div' = 'span'): NodeView {
  const dom = document.createElement(tag);
  dom.className = 'box';
  dom.textContent = name;
  return { dom };
}

/** The first tag of some markup, and the beginning of its text. */
function nameOf(markup: string): string {
  const body = bodyOfMarkup(markup);
  const text = body.textContent.trim().replace(/\s+/g, ' ');
  return `<${body.firstElementChild?.localName ?? ''}> ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`.trim();
}

/** Before a box or a table, browsers put no caret, or one between the blocks, when the field gets the focus by keyboard. */
function restoreCaret(view: EditorView): void {
  const isByMouse = document.querySelector(':active') !== null;
  if (isByMouse) return;
  setTimeout(() => {
    const { anchorNode, isCollapsed } = getSelection()!;
    if (!view.hasFocus() || !isCollapsed || (view.dom.contains(anchorNode) && anchorNode !== view.dom)) return;
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    view.focus();
  });
}

function paste(view: EditorView, event: ClipboardEvent): boolean {
  const markup = event.clipboardData?.getData('text/html');
  if (!markup) return false;
  event.preventDefault();
  view.dispatch(view.state.tr.replaceSelection(parser.parseSlice(pasted(markup))).scrollIntoView());
  return true;
}
