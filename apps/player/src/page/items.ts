import { isGerman } from '../labels';
import { Events } from './events';
import { pageError, type PageError } from './errors';
import { refusing, UNSUPPORTED_OF_APP } from './unsupported';

/* The script that a page loads first. It defines `Itembank` and, so that pages of the hosted service run here,
`LearnosityItems`. It contains only the parts that are needed before the app is loaded: init, listeners and errors. */

declare const __APP_FILE__: string;

export interface Callbacks {
  readyListener?: () => void;
  errorListener?: (error: PageError) => void;
  customUnload?: () => unknown;
}

/** The signed request as an SDK prints it. `request` may be text. */
export interface Signed {
  security: Record<string, unknown>;
  request: Record<string, unknown> | string;
}

/** The page's input to the app. */
export interface PageContext {
  /** Address of the service, with a slash at the end. */
  service: string;
  signed: Signed;
  /** The element for the player, if the page has one by now. */
  target(): HTMLElement | null;
  callbacks: Callbacks;
  events: Events;
  /** @param notice what the learner reads; absent: that the test cannot be shown. */
  fail(error: PageError, notice?: string): void;
  /** Tells the learner that the test starts later. @param notice absent: because it needs more time. */
  wait(notice?: string): void;
  /** Whether the page took the app off. */
  isGone(): boolean;
  /** Whether the page has started no other app. */
  isAlone(): boolean;
}

export type PageApp = Record<string, (...values: never[]) => unknown>;

/** Methods that pages may call once the app is ready. */
const METHODS = [
  'assessApp',
  'attemptedItems',
  'attemptedQuestions',
  'dialogs',
  'feature',
  'features',
  'getActivity',
  'getCurrentItem',
  'getFeatures',
  'getItems',
  'getItemScores',
  'getItemsMetadata',
  'getMetadata',
  'getQuestions',
  'getResponses',
  'getScores',
  'getSubmissionData',
  'getTime',
  'item',
  'items',
  'question',
  'questions',
  'questionsApp',
  'safeToUnload',
  'save',
  'submit',
  'unsaveableQuestions',
  'validateQuestions',
  'validItems',
];

/** The address of this script. Browsers do not tell it to a module, but the traces of its errors have it. */
const script =
  (document.currentScript as HTMLScriptElement | null)?.src || /http\S+?items\.js/.exec(Error().stack!)?.[0];
const service = new URL('../', script ?? location.href).href;
const errors: PageError[] = [];
let apps = 0;
/** Resolves when the apps that the page took off before they were ready have left it. */
let leaving: Promise<unknown> = Promise.resolve();

function init(signed: Signed, second?: unknown, third?: unknown): unknown {
  const named = typeof second === 'string' || second instanceof HTMLElement ? second : undefined;
  const callbacks = (third ?? (named === undefined ? second : undefined) ?? {}) as Callbacks;
  const events = new Events(true);
  apps += 1;
  const target = () => elementOf(named);
  let app: PageApp | undefined;
  let isGone = false;
  let starting: Promise<void> | undefined;
  /** Tells the learner that the test could not start, or not yet. */
  let notice: Element | undefined;
  const tell = (text: string, role: string) => {
    notice?.remove();
    if (!isGone) notice = noticeIn(target(), text, role);
  };

  const fail = (
    error: PageError,
    notice = inLanguage('The test cannot be shown.', 'Der Test kann nicht gezeigt werden.'),
  ) => {
    errors.push(error);
    if (isGone) return;
    if (!app) tell(`${notice} (${error.code})`, 'alert');
    // An error in the listener of the page must not stop the test.
    if (callbacks.errorListener) queueMicrotask(() => callbacks.errorListener!(error));
    else console.error(`Itembank ${error.code}: ${error.msg} ${error.detail}`);
  };
  const isAlone = () => apps === 1;
  const facade: Record<string, unknown> = {
    on: events.on.bind(events),
    once: events.once.bind(events),
    off: events.off.bind(events),
    reset() {
      if (!isGone) apps -= 1;
      isGone = true;
      if (!app) leaving = Promise.all([leaving, starting]);
      notice?.remove();
      app?.reset?.();
      events.close();
    },
  };
  for (const name of METHODS)
    facade[name] = (...values: never[]) => {
      if (!app)
        throw new Error(
          `Itembank: ${name} can be called only after readyListener; wait for readyListener or app:ready.`,
        );
      return app[name]!(...values);
    };
  Object.assign(facade, refusing(UNSUPPORTED_OF_APP));

  if (named !== undefined && !target())
    fail(pageError(50001, 'The element for the player is not on the page.', typeof named === 'string' ? named : ''));
  else
    starting = leaving
      .then(() => import(/* @vite-ignore */ `${service}player/${__APP_FILE__}`))
      .then(async ({ startApp }: { startApp: (context: PageContext) => Promise<PageApp | undefined> }) => {
        if (isGone) return;
        const started = await startApp({
          service,
          signed,
          target,
          callbacks,
          events,
          fail,
          wait: (notice = inLanguage('The test is loading …', 'Der Test wird geladen …')) => tell(notice, 'status'),
          isGone: () => isGone,
          isAlone,
        });
        if (!started) return;
        if (isGone) return (started.reset as () => void)();
        app = started;
        notice?.remove();
        try {
          callbacks.readyListener?.();
        } finally {
          // An error of the page must not keep its other listeners waiting.
          events.release(['test:ready', 'app:ready']);
        }
      })
      .catch((error: unknown) => {
        if (app) throw error;
        fail(pageError(10017, 'The player could not be loaded.', String(error)));
      });
  return facade;
}

/** Tells the learner that there is no test, unless the element of the player holds something already. */
function noticeIn(place: Element | null, text: string, role: string): Element | undefined {
  if (!place || place.childElementCount > 0) return undefined;
  const notice = document.createElement('p');
  notice.setAttribute('role', role);
  notice.textContent = text;
  place.append(notice);
  return notice;
}

const inLanguage = (english: string, german: string): string =>
  isGerman(document.documentElement.lang || navigator.language) ? german : english;

function elementOf(named: string | HTMLElement | undefined): HTMLElement | null {
  if (named === undefined)
    return document.getElementById('learnosity_assess') ?? document.getElementById('itembank_assess');
  return typeof named === 'string' ? document.getElementById(named.replace(/^#/, '')) : named;
}

const page = { init, errors };
Object.assign(globalThis, { Itembank: page, LearnosityItems: page });
