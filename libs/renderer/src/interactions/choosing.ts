import { type QuestionElement } from '../question-element';

/** The minimum and maximum number of chosen options; 0 for no limit. */
export interface Limits {
  min: number;
  max: number;
}

interface ChoosingOptions {
  /** The keys of the chosen options. */
  chosen(): readonly string[];
  limits(): Limits;
  /** Called with the new keys. */
  choose(keys: string[]): void;
}

/** Chooses options with native radio buttons, checkboxes or toggle buttons. Holds no state. */
export class Choosing {
  constructor(
    private readonly host: QuestionElement,
    private readonly options: ChoosingOptions,
  ) {}

  isChosen(key: string): boolean {
    return this.options.chosen().includes(key);
  }

  /** For `change` of a radio button. */
  readonly one = (key: string): void => this.options.choose([key]);

  /** For `change` of a checkbox. Undoes a choice beyond the limit, and announces it. */
  readonly toggle = (key: string, event: Event): void => {
    const input = event.target as HTMLInputElement;
    if (!this.set(key, input.checked)) input.checked = false;
  };

  /** For a toggle button. */
  readonly press = (key: string): void => void this.set(key, !this.isChosen(key));

  /** @returns false for a choice beyond the limit. */
  private set(key: string, isChosen: boolean): boolean {
    const chosen = this.options.chosen();
    const { min, max } = this.options.limits();
    if (isChosen && max > 0 && chosen.length >= max) {
      this.host.announce('most_chosen', chosen.length);
      return false;
    }
    this.options.choose(isChosen ? [...chosen, key] : chosen.filter((each) => each !== key));
    const count = this.options.chosen().length;
    if (count < min) this.host.announce('chosen_of_least', count, min);
    else if (min > 0 || max > 0) this.host.announce('chosen', count);
    return true;
  }

  /** A hint that states the limits; undefined without limits. */
  get hint(): string | undefined {
    const { min, max } = this.options.limits();
    if (min > 0 && min === max) return this.host.label('choose_exactly', max);
    if (min > 0 && max > 0) return this.host.label('choose_between', min, max);
    if (max > 0) return this.host.label('choose_at_most', max);
    return min > 0 ? this.host.label('choose_at_least', min) : undefined;
  }
}
