import { defineFeature, type Labels, type Question, type SimpleFeature } from '#renderer';
import { Events } from './page/events';

/** Browser events of media, and their names for pages. */
const PLAYBACK = { play: 'playback:started', pause: 'playback:paused', ended: 'playback:stopped' } as const;

/** A feature on the page: its element, and its public events. */
export class FeatureView {
  readonly events = new Events();
  element: HTMLElement | undefined;

  /** @param reference absent for a feature that an author described in a text. */
  constructor(
    readonly id: string,
    readonly feature: Question,
    readonly reference?: string,
  ) {}

  /** The view of a feature that is on the page already. The same feature always has the same view. */
  static placed(id: string, { element, feature }: SimpleFeature): FeatureView {
    const known = VIEWS.get(element) ?? new FeatureView(id, feature);
    if (!known.element) known.#take(element);
    return known;
  }

  /** Renders the feature into a placeholder, or moves it there. Removes the placeholder of an unsupported type. */
  async place(mark: Element, labels: Labels): Promise<void> {
    const tag = await defineFeature(String(this.feature['type']));
    if (!tag) return mark.remove();
    const element = this.element ?? document.createElement(tag);
    if (!this.element) this.#take(Object.assign(element, { feature: this.feature, labels }));
    mark.replaceChildren(element);
  }

  /** The sound or film; undefined for other features. */
  get media(): HTMLMediaElement | undefined {
    return this.element?.shadowRoot?.querySelector<HTMLMediaElement>('audio, video') ?? undefined;
  }

  #take(element: HTMLElement): void {
    this.element = element;
    VIEWS.set(element, this);
    for (const [heard, told] of Object.entries(PLAYBACK)) element.addEventListener(heard, () => this.events.emit(told));
  }
}

const VIEWS = new WeakMap<HTMLElement, FeatureView>();
