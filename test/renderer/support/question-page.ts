import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import type { Json } from '#kernel';
import { axeViolations } from '../../support/axe';
import { HANG_MS, until } from '../../support/until';
import { servedPage, type Served } from './browser';

/** The functions of test/renderer/page/main.ts, which is code for a browser. */
export interface Shown {
  type: string;
  question: Record<string, Json>;
  value?: Json;
  mode?: 'answer' | 'review' | 'preview';
  review?: Review | null;
  disabled?: boolean;
  language?: string;
  direction?: 'ltr' | 'rtl';
  heading?: { level: number; text: string } | null;
}

export interface Review {
  score: number | null;
  maxScore: number | null;
  parts?: (boolean | null)[];
  correct?: Json;
  rationale?: string;
  responseRationale?: (string | null)[];
}

/** The members of an element that these tests use. */
interface Visible {
  textContent: string;
  checkVisibility(): boolean;
  closest(selector: string): Visible | null;
  scrollIntoViewIfNeeded(): void;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
}

const WIDE = { width: 1280, height: 900 };

/** Runs in the page. */
const isFocused = (element: unknown): boolean =>
  (element as { getRootNode(): { activeElement?: unknown } }).getRootNode().activeElement === element;

/** A page that shows one question at a time, with the actions of a learner. */
export class QuestionPage {
  private served: Served | undefined;
  private context!: BrowserContext;
  private devtools!: CDPSession;
  private readonly messages: string[] = [];
  page!: Page;

  /** A second call changes nothing. */
  async open(): Promise<void> {
    if (this.served) return;
    this.served = await servedPage();
    this.context = await this.served.browser.newContext({ hasTouch: true, viewport: WIDE, reducedMotion: 'reduce' });
    // Announcements come after a delay. Tests wait for hundreds of them, so timers run faster here.
    await this.context.addInitScript(`const later = setTimeout;
      globalThis.setTimeout = (run, delay, ...values) => later(run, delay / 10, ...values);`);
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(HANG_MS);
    this.page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.messages.push(message.text());
    });
    this.page.on('pageerror', (error) => this.messages.push(String(error)));
    this.page.on('dialog', (dialog) => {
      this.messages.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await this.page.goto(this.served.address);
    await this.page.waitForFunction(() => 'harness' in globalThis);
    this.devtools = await this.context.newCDPSession(this.page);
  }

  async close(): Promise<void> {
    await this.served?.close();
  }

  /** Errors and warnings of the console, and violations of the content policy, since the last call. */
  async complaints(): Promise<string[]> {
    return [...this.messages.splice(0), ...(await this.call<string[]>('violations'))];
  }

  async show(shown: Shown): Promise<void> {
    await this.call('show', shown);
  }

  /** Shows questions below each other. @param all by their names, which findings contain. */
  async showTogether(all: Readonly<Record<string, Shown>>): Promise<void> {
    const byId = Object.entries(all).map(([name, shown]) => [name.replaceAll(' ', '-'), shown]);
    await this.call('showTogether', Object.fromEntries(byId));
  }

  /** Shows questions one after the other. */
  async showEach(shown: readonly Shown[]): Promise<void> {
    await this.call('showEach', shown);
  }

  async set(properties: Partial<Shown>): Promise<void> {
    await this.call('set', properties);
  }

  /** The choice of the learner for this formula question and the following ones. */
  async typeFormulasAs(kind: 'text' | 'formula'): Promise<void> {
    await this.show({ type: 'formulaV2', question: {} });
    const button = this.question.getByRole('button', { name: `Type as ${kind}`, exact: true });
    if (await button.isVisible()) await button.click();
  }

  async value(): Promise<Json> {
    await this.call('settled');
    return this.call('value');
  }

  async attempted(): Promise<string> {
    await this.call('settled');
    return this.call('attempted');
  }

  /** Values of `response-change` since the question was shown. */
  async changes(): Promise<Json[]> {
    await this.call('settled');
    return this.call('changes');
  }

  /** The current question. */
  get question(): Locator {
    return this.page.locator('#shown');
  }

  /** Pastes into the text box of the question. @param texts by their types. */
  async paste(texts: Readonly<Record<string, string>>): Promise<void> {
    await this.call('paste', texts);
  }

  /** Drops texts at the start of the text box of the question. @param texts by their types. */
  async drop(texts: Readonly<Record<string, string>>): Promise<void> {
    await this.call('drop', texts);
  }

  async allowClipboard(): Promise<void> {
    await this.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  }

  /** The accessibility tree as text. */
  async tree(): Promise<string> {
    await this.call('settled');
    return this.question.ariaSnapshot();
  }

  /** The latest text of the live region, which is set after a moment. */
  async announced(text: string | RegExp): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
  }

  /** @param rules absent: all of them. */
  async axeViolations(rules?: readonly string[]): Promise<string[]> {
    await this.call('settled');
    // The page of a test has one question and no headings of its own.
    return axeViolations(this.page, { runOnly: rules, rules: { 'page-has-heading-one': { enabled: false } } });
  }

  /** @param width in CSS pixels; undefined for a wide one. */
  async resize(width?: number): Promise<void> {
    await this.page.setViewportSize(width === undefined ? WIDE : { width, height: 700 });
  }

  /** Stores a screenshot in the folder TEST_PICTURES, if that is set. */
  async picture(name: string): Promise<void> {
    const folder = process.env.TEST_PICTURES;
    if (!folder) return;
    const path = join(folder, `${name.replace(/[^\w.-]+/g, '-')}.png`);
    await this.page.screenshot({ path, fullPage: true });
  }

  async colourScheme(scheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme: scheme });
  }

  async forcedColours(forced: boolean): Promise<void> {
    await this.page.emulateMedia({ forcedColors: forced ? 'active' : 'none' });
  }

  /** @param size of the root of the page, whose text stays as large as before; empty: as the browser has it. */
  async rootFont(size: string): Promise<void> {
    const body = size === '' ? '' : '16px';
    await this.page.evaluate(
      `document.documentElement.style.fontSize = '${size}'; document.body.style.fontSize = '${body}'`,
    );
  }

  /** The widths of radio buttons and checkboxes that are smaller than 20 pixels. */
  async smallBoxes(): Promise<number[]> {
    const boxes = this.question.locator('[type=radio], [type=checkbox]');
    const widths = await boxes.evaluateAll((all: unknown[]) =>
      (all as Visible[]).map((box) => box.getBoundingClientRect().width),
    );
    return widths.filter((width) => width < 20);
  }

  /** The texts of buttons whose background would not show that they are pressed. */
  async unseenPresses(): Promise<string[]> {
    return this.question.locator('[aria-pressed=false]').evaluateAll((buttons) => {
      const view = globalThis as never as {
        document: { documentElement: unknown };
        getComputedStyle(of: unknown): { backgroundColor: string };
      };
      const colour = (element: unknown) => view.getComputedStyle(element).backgroundColor;
      const isUnseen = (button: (typeof buttons)[number]) => {
        const others = [colour(button), colour(view.document.documentElement)];
        button.setAttribute('aria-pressed', 'true');
        const pressed = colour(button);
        button.setAttribute('aria-pressed', 'false');
        return others.includes(pressed);
      };
      return buttons.filter(isUnseen).map((button) => button.textContent!);
    });
  }

  /** The number of pixels by which the page is wider than the window. */
  async overflow(): Promise<number> {
    // Wide tables and formulas scroll from the next frame on.
    await this.call('settled');
    return this.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  /** The size of each control that has a side of less than 24 pixels, by name. */
  async smallTargets(): Promise<string[]> {
    // Learners can press a field for formulas at any place. Only the element that receives the keys has no size.
    const controls = this.page
      .locator('#questions')
      .locator('button, input, select, [role=button], [tabindex="0"]:not([part=keyboard-sink])');
    return controls.evaluateAll((all: unknown[]) =>
      (all as Visible[])
        // The content of closed details has a box without a size.
        .filter((control) => control.checkVisibility())
        .map((control) => {
          // The label of a radio button or checkbox can be pressed, too.
          const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
          return { text: control.textContent, width, height };
        })
        .filter(({ width, height }) => Math.min(width, height) < 24)
        .map(({ text, width, height }) => `${text} ${width} × ${height}`),
    );
  }

  /** Presses the mouse at the middle of one element and moves it to the middle of another. */
  async drag(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await middleOf(from), await middleOf(to)];
    const { mouse } = this.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
    await mouse.move(end.x, end.y, { steps: 3 });
    await mouse.up();
  }

  /** A drag that ends outside of all elements. */
  async dragAway(from: Locator): Promise<void> {
    const { x, y } = await middleOf(from);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(2, 2, { steps: 5 });
    await this.page.mouse.up();
  }

  /** The same drag by touch. */
  async touchDrag(from: Locator, to: Locator): Promise<void> {
    await this.touchLine(await middleOf(from), await middleOf(to));
  }

  /** Drags from one point of the window to another. */
  async touchLine(start: { x: number; y: number }, end: { x: number; y: number }): Promise<void> {
    const touch = (type: string, points: { x: number; y: number }[]) =>
      this.devtools.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
    await touch('touchStart', [start]);
    for (const part of [0.25, 0.5, 0.75, 1])
      await touch('touchMove', [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }]);
    // A finger that leaves in motion starts a fling, and the next touch would only stop that.
    await delay(100);
    await touch('touchMove', [{ x: end.x + 1, y: end.y }]);
    await touch('touchEnd', []);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Presses Tab until the element has the focus. */
  tabTo(element: Locator): Promise<void> {
    return this.walkTo(element, 'Tab', 60);
  }

  /** Presses an arrow until the element has the focus, as between places. */
  arrowTo(element: Locator): Promise<void> {
    return this.walkTo(element, 'ArrowDown', 30);
  }

  /** Looks for the element once, because finding it by its role and name before each press takes most of the time. */
  private async walkTo(element: Locator, key: string, maxPresses: number): Promise<void> {
    const target = await element.elementHandle();
    for (let presses = 0; presses < maxPresses; presses++) {
      if (await target.evaluate(isFocused)) return;
      await this.press(key);
    }
    throw new Error(`${key} does not lead to ${String(element)}.`);
  }

  /**
   * Focuses a field for formatted text, and waits until the field leaves the caret alone. A moment after the focus, it puts
   * back a caret whose move the browser has not reported yet.
   */
  async focusText(field: Locator): Promise<void> {
    await field.focus();
    await this.page.evaluate('new Promise((done) => setTimeout(done, 30))');
  }

  hasFocus(element: Locator): Promise<boolean> {
    return element.evaluate(isFocused);
  }

  /** Waits until the element has the focus, which a field for formulas gets a moment later. */
  async focusOn(element: Locator): Promise<void> {
    await until(() => this.hasFocus(element));
  }

  /**
   * The content and the box of the element's ::before or ::after. The box is relative to the top left of the element.
   */
  pseudo(
    element: Locator,
    name: '::before' | '::after',
  ): Promise<Record<'content' | 'left' | 'top' | 'width' | 'height', string>> {
    return element.evaluate((drawn, which) => {
      const view = globalThis as never as { getComputedStyle(of: unknown, which: string): Record<string, string> };
      const { content, left, top, width, height } = view.getComputedStyle(drawn, which);
      return { content: content!, left: left!, top: top!, width: width!, height: height! };
    }, name);
  }

  /** The tag of the topmost element at a point of the window. */
  pressedAt(x: number, y: number): Promise<string> {
    return this.page.evaluate<string>(
      `document.getElementById('shown').shadowRoot.elementFromPoint(${x}, ${y}).tagName`,
    );
  }

  /** Removes the focus from the question, so that Tab begins at its first control. */
  async leave(): Promise<void> {
    await this.page.evaluate('document.activeElement?.blur()');
    await this.page.mouse.click(1, 1);
  }

  private call<T = void>(name: string, argument?: unknown): Promise<T> {
    return this.page.evaluate<T, [string, unknown]>(
      ([method, given]) =>
        (globalThis as never as { harness: Record<string, (given: unknown) => T> }).harness[method]!(given),
      [name, argument],
    );
  }
}

/** Scrolls to the element. One message for both, because finding it by its role and name takes most of the time. */
const middleOf = (element: Locator): Promise<{ x: number; y: number }> =>
  element.evaluate((found) => {
    const visible = found as never as Visible;
    visible.scrollIntoViewIfNeeded();
    const { x, y, width, height } = visible.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
