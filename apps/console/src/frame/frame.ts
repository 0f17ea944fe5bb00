import { defineFeature, defineQuestion, labelsFor, loadLabels, type QuestionElement } from '#renderer';
import type { FrameState, FromFrame, Show, ShownItem, ShownWidget } from './protocol';
import './frame.css';

/* Shows content of the bank. The frame has no rights: it cannot read the console, its cookies or its calls. */

const root = document.getElementById('content')!;
const tell = (message: FromFrame) => parent.postMessage(message, '*');
/** The elements by reference. The same content reuses them, so that answers stay. */
let elements = new Map<string, QuestionElement>();

/** The content to show next. It replaces content that came while the frame was busy. */
let waiting: Show['show'] | undefined;
/** The shown content, as JSON. */
let shown = '';
let state: FrameState = 'loading';

addEventListener('message', ({ source, data }: MessageEvent<Show>) => {
  if (source !== parent || !data?.show) return;
  if (!waiting) setTimeout(showLatest);
  waiting = data.show;
});

function showLatest(): void {
  const next = waiting!;
  waiting = undefined;
  const text = JSON.stringify(next);
  if (text === shown) return;
  shown = text;
  show(next, text).catch(() => {
    // Newer content may have come meanwhile.
    if (text !== shown) return;
    shown = '';
    state = 'failed';
    tellHeight();
  });
}

let isReadOnly = false;
addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (isReadOnly && !ctrlKey && !metaKey && !altKey) tell({ key });
});

/** @param text the content as JSON. */
async function show({ items, mode, language, scheme }: Show['show'], text: string): Promise<void> {
  await loadLabels(language);
  isReadOnly = mode !== 'answer';
  document.documentElement.lang = language;
  document.documentElement.style.colorScheme = scheme;
  const next = new Map<string, QuestionElement>();
  const sections = await Promise.all(items.map((item) => section(item, mode, language, next)));
  if (text !== shown) return;
  elements = next;
  root.replaceChildren(...sections);
  await Promise.allSettled([...elements.values()].map(({ updateComplete }) => updateComplete));
  state = 'shown';
  tellHeight();
}

function tellHeight(): void {
  tell({ height: Math.ceil(document.documentElement.getBoundingClientRect().height), state });
}

async function section(
  item: ShownItem,
  mode: Show['show']['mode'],
  language: string,
  next: Map<string, QuestionElement>,
): Promise<HTMLElement> {
  const element = document.createElement('section');
  if (item.heading !== undefined) {
    const heading = document.createElement('h2');
    heading.textContent = item.heading;
    element.append(heading);
  }
  const row = document.createElement('div');
  row.className = 'columns';
  for (const { width, widgets } of item.columns) {
    const column = document.createElement('div');
    column.className = 'column';
    column.style.flexBasis = `${width}%`;
    for (const widget of widgets) {
      const shown = await widgetElement(widget, mode, language, next);
      if (shown) column.append(shown);
    }
    row.append(column);
  }
  element.append(row);
  return element;
}

async function widgetElement(
  { kind, data, reference, value, review }: ShownWidget,
  mode: Show['show']['mode'],
  language: string,
  next: Map<string, QuestionElement>,
): Promise<HTMLElement | undefined> {
  const labels = labelsFor(language);
  if (kind === 'feature') {
    const tag = await defineFeature(String(data.type));
    return tag ? Object.assign(document.createElement(tag), { feature: data, labels }) : undefined;
  }
  const tag = await defineQuestion(String(data.type));
  const element = document.createElement(tag) as QuestionElement;
  const kept = value === undefined ? elements.get(reference)?.value : value;
  Object.assign(element, {
    question: data,
    value: kept ?? null,
    mode,
    review: review ?? null,
    labels,
  });
  element.addEventListener('response-change', (event) => {
    tell({ changed: { reference, value: (event as CustomEvent<{ value: unknown }>).detail.value } });
  });
  next.set(reference, element);
  return element;
}

new ResizeObserver(tellHeight).observe(document.documentElement);
tell({ ready: true });
