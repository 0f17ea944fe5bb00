import { loadTypesetter, typesetter } from '#renderer';
import type { Attempt } from '../attempt';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import type { QuestionView } from '../question-view';
import type { CustomDialog } from '../shell/dialogs';
import type { Player } from '../shell/player';
import type { Events } from './events';
import type { PageApp } from './items';

interface Parts {
  attempt: Attempt;
  views: readonly ItemView[];
  /** Absent when items are placed inline in the page. */
  player: Player | undefined;
  events: Events;
  say: Say;
  close(): void;
}

interface SaveSettings {
  success?: (responseIds: string[]) => void;
  error?: (error: unknown) => void;
  progress?: (progress: object) => void;
  show_submit_confirmation?: boolean;
}

/** The app object of a page. */
export function pageApp({ attempt, views, player, events, close }: Parts): PageApp {
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
  const attempted = () => questions().filter(({ responseId }) => attempt.isAttempted(responseId));
  const items = () => Object.fromEntries(views.map((view) => [view.state.item.reference, itemObject(attempt, view)]));
  const positionOf = (target: unknown): number =>
    typeof target === 'number'
      ? target
      : views.findIndex(({ state: { item } }) => item.reference === target || item.id === target);
  const moved = async (position: number) => {
    if (!player) throw new Error('Itembank: items can be moved through in a player only.');
    await player.goTo(position);
  };
  const withCallbacks = async (work: Promise<unknown>, { success, error }: SaveSettings) => {
    try {
      await work;
      success?.(attempted().map(({ responseId }) => responseId));
    } catch (fault) {
      if (!error) throw fault;
      error(fault);
    }
  };

  const app = {
    question: (responseId: string) => keyed(objectOf)[responseId],
    questions: () => keyed(objectOf),
    getQuestions: (callback?: (questions: object) => void) =>
      given(
        keyed(({ question }) => question),
        callback,
      ),
    getMetadata: (callback?: (metadata: object) => void) =>
      given(
        keyed(({ question }) => question['metadata'] ?? {}),
        callback,
      ),
    getResponses: () => Object.fromEntries(attempted().map(({ responseId, response }) => [responseId, response])),
    attemptedQuestions: () => attempted().map(({ responseId }) => responseId),
    attemptedItems: () =>
      views
        .filter(({ state }) => attempt.attemptOf(state) !== 'not_attempted')
        .map(({ state }) => state.item.reference),
    validateQuestions: (settings: { showCorrectAnswers?: boolean } = {}) => {
      for (const view of questions()) if (view.canCheck && view.response) void view.validate(settings);
    },
    getScores: () => keyed((view) => scoreOf(view)),
    getItemScores: () =>
      Object.fromEntries(
        views.map((view) => {
          const scores = view.questions.map(scoreOf);
          const sum = (name: 'score' | 'max_score') => scores.reduce((all, each) => all + (each[name] ?? 0), 0);
          return [view.state.item.reference, { score: sum('score'), max_score: sum('max_score') }];
        }),
      ),
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
    safeToUnload: () => !attempt.hasUnsaved,
    save: (settings: SaveSettings = {}) => {
      if (attempt.started.activity.type === 'local_practice')
        return settings.error?.({ code: 10004, msg: 'Nothing of a local_practice is saved.' });
      return void withCallbacks(player ? player.save() : attempt.save(), settings);
    },
    submit: (settings: SaveSettings = {}) => {
      if (player) {
        if (settings.success)
          events.once('test:submit:success', () => settings.success!(questions().map(({ responseId }) => responseId)));
        if (settings.error) events.once('test:submit:error', settings.error);
        return void player.submit({ confirm: settings.show_submit_confirmation ?? false });
      }
      return void withCallbacks(attempt.submit(), settings);
    },
    items: () => ({
      goto: (target: unknown) => moved(positionOf(target)),
      next: () => moved(attempt.current + 1),
      previous: () => moved(attempt.current - 1),
    }),
    item: (target: unknown) => {
      const state = attempt.items[positionOf(target)];
      return state && { flag: (isFlagged = true) => attempt.flag(isFlagged, state) };
    },
    dialogs: () => ({
      accessibility: { show: () => player?.open('display') },
      reviewScreen: { show: () => player?.open('review'), hide: () => player?.closeDialog() },
      custom: { show: (dialog: CustomDialog) => player?.open('custom', dialog), hide: () => player?.closeDialog() },
    }),
    questionsApp: () => ({
      renderMath: () =>
        void loadTypesetter().then(() => typesetter()?.typeset(document.body as unknown as DocumentFragment)),
      masking: () => {
        throw new Error('Itembank: masking is not supported.');
      },
      submit: (settings?: SaveSettings) => app.submit(settings),
    }),
    assessApp: () => ({
      on: events.on.bind(events),
      once: events.once.bind(events),
      off: events.off.bind(events),
      dialogs: () => app.dialogs(),
      questionsApp: () => app.questionsApp(),
      getItemPosition: positionOf,
      hasStarted: () => player?.hasStarted ?? true,
      item: (target: unknown) => app.item(target),
    }),
    reset: () => {
      close();
      events.emit('test:reset');
    },
  };
  return app;
}

function scoreOf({ checked }: QuestionView): { score: number | null; max_score: number | null } {
  return { score: checked?.score ?? null, max_score: checked?.max_score ?? null };
}

function itemObject(attempt: Attempt, { state, questions }: ItemView): object {
  const { item, position, time, viewed, flagged } = state;
  return {
    reference: item.reference,
    source: { reference: item.reference, organisation_id: item.organisation_id },
    content: item.content,
    metadata: item.metadata,
    response_ids: item.response_ids,
    feature_ids: item.feature_ids,
    simplefeature_ids: [],
    questions: questions.map(({ question }) => question),
    features: item.features,
    active: position === attempt.current,
    viewed,
    time,
    attempt_status: attempt.attemptOf(state),
    user_flagged: flagged,
    is_last_item: position === attempt.items.length - 1,
  };
}

/** The public methods of one question. */
function questionObject(view: QuestionView): object {
  const { events } = view;
  return {
    on: events.on.bind(events),
    once: events.once.bind(events),
    off: events.off.bind(events),
    getQuestion: () => view.question,
    getMetadata: () => view.question['metadata'] ?? {},
    getResponse: () => view.response,
    getScore: () => scoreOf(view),
    isValid: () => view.checked?.is_valid ?? false,
    isAttempted: () => view.response !== null,
    getAttemptedStatus: () => view.element?.attempted ?? 'not_attempted',
    checkValidation: () => ({ has_validation: view.canCheck }),
    mapValidationMetadata: () => false,
    validate: (settings?: { showCorrectAnswers?: boolean }) => void view.validate(settings),
    disable: () => (view.isDisabled = true),
    enable: () => (view.isDisabled = false),
    resetResponse: () => view.reset(),
  };
}
