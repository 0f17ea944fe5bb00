import { type QuestionElement } from '../question-element';

/** How many options may be chosen; 0 for no limit. */
export interface Limits {
  least: number;
  most: number;
}

export interface ChoosingOptions {
  /** The keys of what is chosen now. */
  chosen(): readonly string[];
  limits(): Limits;
  /** Called with the keys that are chosen from now on. */
  choose(keys: string[]): void;
}

/** Choosing among options by native radio buttons or checkboxes, or by buttons that stay pressed. Holds no state. */
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

  /** For `change` of a checkbox. One choice too many is taken back, and the learner told so. */
  readonly toggle = (key: string, event: Event): void => {
    const input = event.target as HTMLInputElement;
    if (!this.set(key, input.checked)) input.checked = false;
  };

  /** For a button that stays pressed. */
  readonly press = (key: string): void => void this.set(key, !this.isChosen(key));

  /** @returns false for one choice too many. */
  private set(key: string, isChosen: boolean): boolean {
    const chosen = this.options.chosen();
    const { least, most } = this.options.limits();
    if (isChosen && most > 0 && chosen.length >= most) {
      this.host.announce('most_chosen', chosen.length);
      return false;
    }
    this.options.choose(isChosen ? [...chosen, key] : chosen.filter((each) => each !== key));
    const count = this.options.chosen().length;
    if (count < least) this.host.announce('chosen_of_least', count, least);
    else if (least > 0 || most > 0) this.host.announce('chosen', count);
    return true;
  }

  /** What the limits ask for, in words; undefined without limits. */
  get hint(): string | undefined {
    const { least, most } = this.options.limits();
    if (least > 0 && least === most) return this.host.label('choose_exactly', most);
    if (least > 0 && most > 0) return this.host.label('choose_between', least, most);
    if (most > 0) return this.host.label('choose_at_most', most);
    return least > 0 ? this.host.label('choose_at_least', least) : undefined;
  }
}
