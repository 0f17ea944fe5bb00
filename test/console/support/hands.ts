import type { FileChooser, Locator, Page } from 'playwright-core';
import { until } from '../../support/until';

/** A file that a person chooses. */
interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A person's actions on the page, by mouse or by keyboard. Both type texts. */
export abstract class Hands {
  /** Controls before which the keyboard had no place on the page any more. */
  readonly lost: string[] = [];

  /** Whether a person points at the marking keys instead of pressing them. */
  abstract readonly isMouse: boolean;

  constructor(protected readonly page: Page) {}

  /** Activates a button, link, tab or entry of a menu. */
  abstract use(control: Locator): Promise<void>;
  /** Switches a checkbox on, or chooses a radio button. */
  abstract check(control: Locator): Promise<void>;
  /** Chooses an option of a field with a list. */
  abstract choose(field: Locator, option: Locator): Promise<void>;
  /** Puts the cursor into a field. */
  protected abstract enter(field: Locator): Promise<void>;

  /** Types the text into a field, instead of what it contains. */
  async write(field: Locator, text: string): Promise<void> {
    await this.enter(field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** Activates the control, and chooses the file in the dialog of the browser. */
  async upload(control: Locator, file: ChosenFile): Promise<void> {
    const opening: Promise<FileChooser> = this.page.waitForEvent('filechooser');
    await this.use(control);
    await (await opening).setFiles(file);
  }
}

export class Mouse extends Hands {
  override readonly isMouse = true;

  override use(control: Locator): Promise<void> {
    return control.click();
  }

  override async check(control: Locator): Promise<void> {
    await control.waitFor({ state: 'attached' });
    if (await control.isVisible()) return control.check();
    // The page shows only its label.
    await this.page.locator(`label[for="${await control.getAttribute('id')}"]`).click();
  }

  override async choose(field: Locator, option: Locator): Promise<void> {
    await field.click();
    await option.click();
  }

  protected override enter(field: Locator): Promise<void> {
    return field.click();
  }
}

/** The most keys on the way to a control. A page on which a person needs more is a fault. */
const MAX_KEYS = 120;

/** Only presses keys, like a person without a mouse: a control that keys do not reach fails the test. */
export class Keyboard extends Hands {
  override readonly isMouse = false;

  override async use(control: Locator): Promise<void> {
    // A tab is active as soon as it has the focus.
    if ((await this.reach(control)) !== 'tab') await this.page.keyboard.press('Enter');
  }

  override async check(control: Locator): Promise<void> {
    await this.reach(control);
    if (!(await control.isChecked())) await this.page.keyboard.press('Space');
  }

  override async choose(field: Locator, option: Locator): Promise<void> {
    await this.reach(field);
    await this.page.keyboard.press('ArrowDown');
    await option.waitFor();
    // An open list notes its chosen option in a timer. Enter would be lost before.
    await this.page.evaluate('new Promise((done) => setTimeout(done))');
    while ((await option.getAttribute('data-combobox-selected')) === null) await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
  }

  protected override async enter(field: Locator): Promise<void> {
    await this.reach(field);
  }

  /** Moves the focus to the control. Returns its role. */
  private async reach(control: Locator): Promise<string | null> {
    // Looking for a control by its role takes far longer than the press of a key.
    let element = await control.elementHandle();
    await this.expectAPlace(control, element);
    for (let keys = 0; keys < MAX_KEYS; keys++) {
      const { key, role, isGone } = await nextKey(element);
      if (isGone) element = await control.elementHandle();
      else if (key === null) return role;
      else await this.page.keyboard.press(key);
    }
    throw new Error(`Keys do not reach ${String(control)}`);
  }

  /**
   * Waits until a dialog with the control has the focus. Notes when nothing has it: the person is sent back to the start
   * of the page.
   */
  private async expectAPlace(control: Locator, element: Found): Promise<void> {
    const isThere = () => this.page.evaluate<boolean>('(document.activeElement ?? document.body) !== document.body');
    const isInDialog = () =>
      element.evaluate((one): boolean => {
        const dialog = one.isConnected ? one.closest('[role=dialog]') : null;
        return dialog === null || dialog.contains(one.ownerDocument.activeElement);
      });
    const isHeld = async () => (await isThere()) && (await isInDialog());
    await until(isHeld).catch(() => this.lost.push(String(control)));
  }
}

type Found = NonNullable<Awaited<ReturnType<Locator['elementHandle']>>>;

/**
 * The key that leads from the focus towards the control, null when it is there; the role of the control; and whether
 * the page has replaced it.
 */
const nextKey = (wanted: Found): Promise<{ key: string | null; role: string | null; isGone?: boolean }> =>
  wanted.evaluate((control) => {
    if (!control.isConnected) return { key: null, role: null, isGone: true };
    const page = control.ownerDocument;
    let focused = page.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const isRadio = control.matches('input[type=radio]');
    const role = control.getAttribute('role') ?? (isRadio ? 'radio' : null);
    if (focused === control && page.hasFocus()) return { key: control.matches(':disabled') ? 'Tab' : null, role };
    if (role === 'tab' && control.closest('[role=tablist]')?.contains(focused)) return { key: 'ArrowRight', role };
    if (
      isRadio &&
      focused?.matches('input[type=radio]') &&
      focused.getAttribute('name') === control.getAttribute('name')
    )
      return { key: 'ArrowDown', role };
    let place = control;
    while (place.getRootNode() !== page && place.getRootNode() !== focused?.getRootNode())
      place = place.getRootNode().host;
    // 4: the control is before the focus.
    return { key: focused && place.compareDocumentPosition(focused) & 4 ? 'Shift+Tab' : 'Tab', role };
  });
