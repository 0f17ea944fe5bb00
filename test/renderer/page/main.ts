import {
  announce,
  defineQuestion,
  type Heading,
  labelsFor,
  loadLabels,
  type Mode,
  type Question,
  type QuestionElement,
  type Review,
} from '../../../libs/renderer/src';

/** The question to show, as the test describes it. */
export interface Shown {
  type: string;
  question: Question;
  value?: unknown;
  mode?: Mode;
  review?: Review | null;
  disabled?: boolean;
  language?: string;
  direction?: 'ltr' | 'rtl';
  heading?: Heading | null;
}

let shown: QuestionElement;
const changes: unknown[] = [];
const violations: string[] = [];

document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  violations.push(`${violatedDirective}: ${blockedURI}`),
);

function transferOf(texts: Record<string, string>): DataTransfer {
  const transfer = new DataTransfer();
  for (const [type, text] of Object.entries(texts))
    if (type.startsWith('image/')) transfer.items.add(new File([text], 'picture', { type }));
    else transfer.setData(type, text);
  return transfer;
}

async function elementOf(
  id: string,
  { type, question, language = 'en', direction = 'ltr', ...others }: Shown,
): Promise<QuestionElement> {
  const [tag] = await Promise.all([defineQuestion(type), loadLabels(language)]);
  const element = document.createElement(tag) as QuestionElement;
  document.documentElement.dir = direction;
  document.documentElement.lang = language;
  Object.assign(element, { id, question: { type, ...question }, labels: labelsFor(language) }, others);
  element.addEventListener('response-change', (event) => {
    changes.push(structuredClone((event as CustomEvent<{ value: unknown }>).detail.value));
  });
  return element;
}

/** Functions that tests call; see test/renderer/support/question-page.ts. */
const harness = {
  /** Shows one question instead of the previous ones. */
  show(one: Shown): Promise<void> {
    return harness.showTogether({ shown: one });
  },
  /** Shows questions in one language and direction below each other. @param all by the id of their element. */
  async showTogether(all: Record<string, Shown>): Promise<void> {
    const elements = await Promise.all(Object.entries(all).map(([id, each]) => elementOf(id, each)));
    shown = elements.at(-1)!;
    changes.length = 0;
    // Announcements of the questions before must not count for these.
    announce('');
    for (const region of document.querySelectorAll('[role=status]')) region.replaceChildren();
    document.getElementById('questions')!.replaceChildren(...elements);
    await Promise.all(elements.map((each) => each.updateComplete));
    // A picture that is loaded later moves what is below it.
    const pictures = elements.flatMap((each) => [...each.renderRoot.querySelectorAll('img')]);
    await Promise.allSettled(pictures.map((each) => each.decode()));
  },
  async showEach(all: readonly Shown[]): Promise<void> {
    for (const each of all) await harness.show(each);
  },
  /** Sets properties of the current question. */
  async set(properties: Partial<Shown>): Promise<void> {
    Object.assign(shown, properties);
    await shown.updateComplete;
  },
  async settled(): Promise<void> {
    // The field for formulas reports changes in a task of its own, and shows a formula that is set in the next frame.
    await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(done));
    await shown.updateComplete;
  },
  value: (): unknown => shown.value,
  attempted: (): string => shown.attempted,
  /** The values of all changes since the question was shown. */
  changes: (): unknown[] => changes,
  /** Pastes these texts, by their types, into the text box of the question. */
  paste(texts: Record<string, string>): void {
    const field = shown.renderRoot.querySelector('[role=textbox]')!;
    const clipboardData = transferOf(texts);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  },
  /** Drops these texts, by their types, at the start of the text box of the question. */
  drop(texts: Record<string, string>): void {
    const field = shown.renderRoot.querySelector('[role=textbox]')!;
    const { left: clientX, top: clientY, height } = field.firstElementChild!.getBoundingClientRect();
    const at = { clientX, clientY: clientY + height / 2 };
    const dataTransfer = transferOf(texts);
    field.dispatchEvent(new DragEvent('drop', { dataTransfer, ...at, bubbles: true, cancelable: true }));
  },
  /** The violations of the content policy since the last call. */
  violations: (): string[] => violations.splice(0),
};

Object.assign(globalThis, { harness });
