import { labelsFor, loadLabels } from '#renderer';
import { Attempt, type ItemState } from './attempt';
import { OverHttp } from './delivery/over-http';
import { type DeliveredItem, type Delivery, Refused, type Started } from './delivery/port';
import { ItemView } from './item-view';
import { sayIn } from './labels';
import { isOn, type Members, numberOf, objectOf, textOf } from './members';
import { pageError } from './page/errors';
import type { PageApp, PageContext } from './page/items';
import { pageApp } from './page/page-app';
import type { QuestionSettings } from './question-view';
import { warnOfIgnored } from './page/ignored';
import type { InlineTest } from './shell/inline';
import { after } from './seconds';
import { Player } from './shell/player';

const DEFAULT_HEADING_LEVEL = 3;
/** The service refuses a start with this code if the session has ended, and a review if it has not. */
const CONFLICT = 20011;
/** The service refuses a start with this code if the request was signed too long ago. */
const EXPIRED = 41004;
/** The pauses between the tries to start a test. */
const START_PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
const SECOND = 1_000;
/** Within this time after a fixed start, waiting pages ask for the test. */
const SPREAD_MS = 5_000;

/** Resolves when the app that left the page last has saved its test, which the next app may go on with. */
let left: Promise<void> | undefined;

/** The settings with which a test is shown. */
interface Test extends Pick<PageContext, 'events' | 'target' | 'callbacks' | 'fail' | 'isAlone'> {
  delivery: Delivery;
  started: Started;
  /** The signed request of the page; absent for a page without a service. */
  request?: Members;
  /** Called when the learner leaves the finished test. It replaces the redirect to another page. */
  onleave?: () => void;
}

/**
 * Starts the player or the items that a page requested.
 * @returns the methods for the page; undefined after an error, which the page has received.
 */
export async function startApp(context: PageContext): Promise<PageApp | undefined> {
  const { service, signed, fail } = context;
  const request = typeof signed?.request === 'string' ? signed.request : JSON.stringify(signed?.request ?? null);
  const delivery = new OverHttp(service, { security: signed?.security, request });
  let started: Started | undefined;
  await left;
  try {
    started = await startInTime(delivery, context);
  } catch (error) {
    const code = error instanceof Refused && error.code > 0 ? error.code : 10001;
    const isOver = code === CONFLICT && objectOf(JSON.parse(request))['state'] !== 'review';
    const isMissed = error instanceof Refused && error.isOver;
    const text = isMissed ? 'missed' : isOver ? 'over_before' : code === EXPIRED ? 'too_old' : undefined;
    const notice = text && (await sayIn(languageOfPage(), {}))(text);
    fail(pageError(code, error instanceof Error ? error.message : String(error)), notice);
    return undefined;
  }
  if (!started) return undefined;
  return showTest({ ...context, delivery, started, request: objectOf(JSON.parse(request)) });
}

const languageOfPage = (): string => document.documentElement.lang || navigator.language;

/** Waits for the fixed start of the test, if it has one. @returns undefined when the page takes the app off before. */
async function startInTime(delivery: Delivery, context: PageContext): Promise<Started | undefined> {
  while (!context.isGone())
    try {
      return await startPersistently(delivery, context);
    } catch (error) {
      if (!(error instanceof Refused) || !error.start) throw error;
      const { at, inSeconds } = error.start;
      const language = languageOfPage();
      const time = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(at);
      context.wait((await sayIn(language, {}))('not_yet', time));
      // Computers may sleep meanwhile, so no timer runs for the whole time.
      // Without the spread, all pages of a class would ask at once. The service does not count it (decision 122).
      const end = Date.now() + inSeconds * SECOND + Math.random() * SPREAD_MS;
      while (Date.now() < end && !context.isGone()) await after(SECOND);
    }
  return undefined;
}

/** Tries again while the service is busy or cannot be reached, and tells the learner so. */
async function startPersistently(delivery: Delivery, { wait }: PageContext): Promise<Started> {
  for (const pause of START_PAUSES_MS)
    try {
      return await delivery.start();
    } catch (error) {
      if (error instanceof Refused && !error.isForNow) throw error;
      wait();
      await after(pause);
    }
  return delivery.start();
}

/**
 * Shows a test on the page.
 * @returns the methods for the page; undefined after an error, which the page has received.
 */
export async function showTest(context: Test): Promise<PageApp | undefined> {
  const { delivery, started, fail, events, callbacks, onleave } = context;
  const { activity } = started;
  const { config } = activity;
  // Some pages put these options into `config` itself.
  const options = { ...config, ...objectOf(config['questions_api_init_options']) };
  warnOfIgnored(context.request ?? {}, { ...activity });
  const labels = objectOf(config['labelBundle']);
  const language = languageOfPage();
  const [say] = await Promise.all([sayIn(language, labels), loadLabels(language)]);
  const attempt = new Attempt(started, delivery);
  await attempt.restore();
  const headings = objectOf(objectOf(objectOf(config['configuration'])['accessibility'])['headings'])['question'];
  const settings: QuestionSettings = {
    attempt,
    say,
    language,
    labels: { ...objectOf(labels['questionsApiLabelBundle']), ...objectOf(options['labelBundle']) },
    headingLevel: headings === false ? null : numberOf(objectOf(headings)['level']) || DEFAULT_HEADING_LEVEL,
    options,
    onanswer: ({ responseId }) => {
      if (attempt.answers.isAttempted(responseId)) events.emit('item:setAttemptedResponse', responseId);
    },
  };
  const isIndexed = isOn(objectOf(config['configuration'])['question_indexing']);
  const viewOf = (state: ItemState) => {
    const first = firstNumber(attempt, state, isIndexed);
    return new ItemView(
      state,
      settings,
      state.item.questions.map((_, index) => say('question', first + index)),
    );
  };
  const views = attempt.items.map(viewOf);

  const isInline = activity.rendering_type === 'inline';
  let player: Player | undefined;
  let inline: InlineTest | undefined;
  if (isInline) {
    const loaded = await import('./shell/inline');
    const texts = labelsFor(language, settings.labels);
    inline = new loaded.InlineTest(views, attempt, {
      say,
      events,
      options,
      labels: texts,
      fail,
      isAlone: context.isAlone,
    });
    await inline.place();
  } else {
    const target = context.target();
    if (!target) {
      fail(pageError(50001, 'The page has no element for the player: add <div id="learnosity_assess"></div>.'));
      return undefined;
    }
    if (target.querySelector('itembank-player')) {
      fail(pageError(10001, 'The element for the player holds a test already.'));
      return undefined;
    }
    if (!customElements.get('itembank-player')) customElements.define('itembank-player', Player);
    player = document.createElement('itembank-player') as Player;
    const title = textOf(config['title']) ?? activity.name;
    const framed = async (item: DeliveredItem | undefined) =>
      item && viewOf({ item, position: -1, time: 0, flagged: false, viewed: false }).render();
    const frames = { intro: await framed(started.intro), outro: await framed(started.outro) };
    player.classList.toggle('is-indexed', isIndexed);
    player.shell = {
      attempt,
      delivery,
      views,
      viewOf,
      say,
      labels: labelsFor(language, settings.labels),
      events,
      config,
      title,
      frames,
      onleave,
    };
    target.replaceChildren(player);
    await player.updateComplete;
  }

  const unload = (event: BeforeUnloadEvent) => {
    if (callbacks.customUnload) callbacks.customUnload();
    else if (attempt.answers.hasUnsaved && isOn(objectOf(config['navigation'])['warn_on_unload'], true))
      event.preventDefault();
  };
  window.addEventListener('beforeunload', unload);
  const focused = () => events.emit('focused');
  const unfocused = () => events.emit('unfocused');
  window.addEventListener('focus', focused);
  window.addEventListener('blur', unfocused);
  return pageApp({
    attempt,
    views,
    player,
    inline,
    events,
    fail,
    close: () => {
      window.removeEventListener('beforeunload', unload);
      window.removeEventListener('focus', focused);
      window.removeEventListener('blur', unfocused);
      player?.remove();
      left = attempt.leave();
      inline?.remove();
      for (const view of views) view.remove();
    },
  });
}

/** The number of an item's first question. Visible numbers begin anew in each section. */
function firstNumber(attempt: Attempt, { position }: ItemState, isIndexed: boolean): number {
  const section = attempt.sectionOf(position);
  return attempt.items
    .slice(0, Math.max(position, 0))
    .filter((before) => !isIndexed || attempt.sectionOf(before.position) === section)
    .reduce((number, { item }) => number + item.questions.length, 1);
}
