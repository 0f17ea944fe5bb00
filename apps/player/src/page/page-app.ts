import { loadTypesetter, typesetter } from '#renderer';
import type { Attempt } from '../attempt';
import type { ItemView } from '../item-view';
import type { QuestionView } from '../question-view';
import type { InlineTest } from '../shell/inline';
import type { Player } from '../shell/player';
import { pageError, type PageError } from './errors';
import type { Events } from './events';
import type { PageApp } from './items';
import { refusing, UNSUPPORTED_OF_PLAYER } from './unsupported';
import { featureObject, itemScoreOf, listening, questionObject, scoreOf } from './widget-objects';

interface Parts {
  attempt: Attempt;
  views: readonly ItemView[];
  /** Absent when items are placed inline in the page. */
  player: Player | undefined;
  events: Events;
  /** Saves and submits the items of an inline page. */
  inline: InlineTest | undefined;
  close(): void;
  fail(error: PageError): void;
}

interface SaveSettings {
  success?: (responseIds: string[]) => void;
  error?: (error: unknown) => void;
  progress?: (progress: { state: string; percentage: number }) => void;
  show_submit_confirmation?: boolean;
}

const CLOSED = 'This session stores no answers now.';

/** The app object of a page. */
export function pageApp({ attempt, views, player, inline, events, close, fail }: Parts): PageApp {
  /** All current questions. Items may be added during the test. */
  const questions = () => views.flatMap((view) => view.questions);
  const objects = new WeakMap<QuestionView, object>();
  const objectOf = (view: QuestionView) => {
    const object = objects.get(view) ?? questionObject(view);
    objects.set(view, object);
    return object;
  };
  const keyed = <T>(of: (view: QuestionView) => T) =>
    Object.fromEntries(questions().map((view) => [view.responseId, of(view)]));
  /** Returns a value and also passes it to the callback. Pages may use either. */
  const given = <T>(value: T, callback?: (value: T) => void): T => {
    callback?.(value);
    return value;
  };
  const attempted = () => questions().filter(({ responseId }) => attempt.answers.isAttempted(responseId));
  const items = () => Object.fromEntries(views.map((view) => [view.state.item.reference, itemObject(attempt, view)]));
  const positionOf = (target: unknown): number =>
    typeof target === 'number'
      ? target
      : views.findIndex(({ state: { item } }) => item.reference === target || item.id === target);
  const moved = async (position: number) => {
    if (!player) throw new Error('Itembank: only a player moves to items.');
    await player.goTo(position);
  };
  /** Another dialog, such as the question before a submission, stays open. */
  const hide = (name: 'custom' | 'review') => player?.dialog.name === name && player.dialog.dismiss();
  const features = () => views.flatMap((view) => view.features);
  const withCallbacks = async (work: Promise<unknown>, { success, error, progress }: SaveSettings) => {
    progress?.({ state: 'start', percentage: 0 });
    try {
      await work;
    } catch (fault) {
      fail(pageError(10004, 'The answers could not be stored.', String(fault)));
      return error?.(fault);
    }
    progress?.({ state: 'done', percentage: 100 });
    const stored = attempted().filter(({ responseId }) => !attempt.answers.isOversize(responseId));
    success?.(stored.map(({ responseId }) => responseId));
  };
  /** Drops the callbacks of a submission that the learner has cancelled, or cannot make yet. */
  let drop = () => {};
  /** Calls back for the next submission of the player, which the learner may have to confirm first. */
  const tellOfSubmission = ({ success, error, progress }: SaveSettings) => {
    drop();
    const begun = () => {
      drop = () => {};
      progress?.({ state: 'start', percentage: 0 });
    };
    const stored = () => {
      end();
      progress?.({ state: 'done', percentage: 100 });
      success?.(questions().map(({ responseId }) => responseId));
    };
    const failed = (fault: unknown) => {
      end();
      error?.(fault);
    };
    const end = () => {
      events.off('test:submit', begun);
      events.off('test:submit:success', stored);
      events.off('test:submit:error', failed);
    };
    drop = end;
    events.on('test:submit', begun);
    events.on('test:submit:success', stored);
    events.on('test:submit:error', failed);
  };

  const app = {
    question: (responseId: string) => keyed(objectOf)[responseId],
    questions: () => keyed(objectOf),
    getQuestions: (callback?: (questions: object) => void) =>
      given(
        keyed(({ question }) => question),
        callback,
      ),
    feature: (featureId: string) => app.features()[featureId],
    features: (): Record<string, object> =>
      Object.fromEntries(features().map((view) => [view.id, featureObject(view)])),
    getFeatures: (callback?: (features: object) => void) =>
      given(Object.fromEntries(features().map(({ id, feature }) => [id, feature])), callback),
    getItemsMetadata: (callback?: (metadata: object) => void) =>
      given(Object.fromEntries(views.map(({ state: { item } }) => [item.reference, item.metadata])), callback),
    unsaveableQuestions: () =>
      questions()
        .filter((view) => view.obstacle !== undefined)
        .map(({ responseId }) => responseId),
    getMetadata: (callback?: (metadata: object) => void) =>
      given(
        keyed(({ question }) => question['metadata'] ?? {}),
        callback,
      ),
    getResponses: () => Object.fromEntries(attempted().map(({ responseId, response }) => [responseId, response])),
    attemptedQuestions: () => attempted().map(({ responseId }) => responseId),
    attemptedItems: () =>
      views
        .filter(({ state }) => attempt.answers.attemptOf(state.item) !== 'not_attempted')
        .map(({ state }) => state.item.reference),
    validateQuestions: (settings: { showCorrectAnswers?: boolean } = {}) => {
      for (const view of questions()) if (view.canCheck && view.response) void view.validate(settings);
    },
    getScores: () => keyed((view) => scoreOf(view)),
    getItemScores: () => Object.fromEntries(views.map((view) => [view.state.item.reference, itemScoreOf(view)])),
    validItems: () =>
      Object.fromEntries(
        views.map((view) => [
          view.state.item.reference,
          Object.fromEntries(view.questions.map((each) => [each.responseId, each.checked?.is_valid ?? false])),
        ]),
      ),
    getItems: items,
    getCurrentItem: () => items()[attempt.item.item.reference],
    getActivity: () => ({
      ...attempt.started.activity,
      session_id: attempt.started.session.session_id,
      state: attempt.state,
      existing_session: attempt.started.session.existing,
    }),
    getTime: () => attempt.elapsed,
    getSubmissionData: () => attempt.asText(),
    safeToUnload: () => !attempt.answers.hasUnsaved,
    save: (settings?: SaveSettings | null) => {
      if (!attempt.isStored) return settings?.error?.(pageError(10004, CLOSED));
      return void withCallbacks(player ? player.save() : inline!.save(), settings ?? {});
    },
    submit: (settings?: SaveSettings | null) => {
      if (!attempt.isOpen || player?.hasStarted === false) return settings?.error?.(pageError(10004, CLOSED));
      if (player) {
        tellOfSubmission(settings ?? {});
        return void player.submit({ confirm: settings?.show_submit_confirmation ?? false });
      }
      return void withCallbacks(inline!.submit(), settings ?? {});
    },
    items: () => ({
      goto: async (target: unknown) => {
        const position = positionOf(target);
        if (!attempt.items[position]) throw new Error(`Itembank: the test has no item ${JSON.stringify(target)}.`);
        await moved(position);
      },
      next: () =>
        player && attempt.isAdaptive && attempt.current === attempt.items.length - 1
          ? player.askForNext()
          : moved(attempt.current + 1),
      previous: () => moved(attempt.current - 1),
    }),
    item: (target: unknown) => {
      const state = attempt.items[positionOf(target)];
      return state && { flag: (isFlagged = true) => attempt.flag(isFlagged, state) };
    },
    dialogs: () => ({
      accessibility: { show: () => player?.dialog.open('display') },
      reviewScreen: { show: () => player?.dialog.open('review'), hide: () => hide('review') },
      custom: {
        show: (dialog: unknown) => player?.dialog.open('custom', dialog),
        hide: () => hide('custom'),
      },
    }),
    questionsApp: () => ({
      renderMath: () =>
        void loadTypesetter().then(() => typesetter()?.typeset(document.body as unknown as DocumentFragment)),
      masking: (isOn = true) => {
        if (player) player.tools.isMasking = isOn;
        for (const view of questions()) view.masking = isOn;
      },
      submit: (settings?: SaveSettings) => app.submit(settings),
    }),
    assessApp: () => ({
      ...listening(events),
      dialogs: () => app.dialogs(),
      questionsApp: () => app.questionsApp(),
      getItemPosition: positionOf,
      hasStarted: () => player?.hasStarted ?? true,
      getTimeWindow: () => timeWindow(attempt, player?.options.startType),
      item: (target: unknown) => app.item(target),
      ...refusing(UNSUPPORTED_OF_PLAYER),
    }),
    reset: () => {
      close();
      events.emit('test:reset');
    },
  };
  return app;
}

function itemObject(attempt: Attempt, { state, questions, simpleFeatures }: ItemView): object {
  const { item, position, time, viewed, flagged } = state;
  return {
    reference: item.reference,
    source: { reference: item.reference, organisation_id: item.organisation_id },
    content: item.content,
    metadata: item.metadata,
    response_ids: item.response_ids,
    feature_ids: item.feature_ids,
    simplefeature_ids: simpleFeatures.map(({ id }) => id),
    questions: questions.map(({ question }) => question),
    features: item.features,
    active: position === attempt.current,
    viewed,
    time,
    attempt_status: attempt.answers.attemptOf(state.item),
    user_flagged: flagged,
    is_last_item: position === attempt.items.length - 1,
  };
}

/** The start of a test with `start_time`. The app is ready only after it. */
function timeWindow({ started }: Attempt, type: 'hard' | 'soft' | undefined): object | undefined {
  // 2026-08-15T13:05:00.000Z becomes 20260815-1305.
  const value = started.session.started_at.replace(/\D/g, '').replace(/^(\d{8})(\d{4}).*/, '$1-$2');
  return type && { value, status: 'started' };
}
