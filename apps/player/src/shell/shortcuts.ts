import type { ReactiveControllerHost } from 'lit';
import { isOn } from '../members';
import { listen } from './listen';
import type { OpenDialog } from './open-dialog';
import type { Options } from './options';
import type { Shell } from './shell';
import type { Supervisor } from './supervisor';

interface Host extends ReactiveControllerHost, Element {
  readonly shell: Shell;
  readonly options: Options;
  readonly dialog: OpenDialog;
  readonly showsItems: boolean;
  readonly ending: { discarded(): void; saveAndClose(): void; submit(): Promise<void> };
  supervisor: Supervisor | undefined;
  move(by: number): void;
  stay(): void;
}

/** The keys of the player: the arrows change the item, and Ctrl+Shift+M opens the supervisor's dialog. */
export function addShortcuts(player: Host): void {
  listen(player, {
    keydown: (event: KeyboardEvent) => {
      if (!player.showsItems) return;
      changeItem(player, event);
      supervise(player, event);
    },
  });
}

function changeItem(player: Host, event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const [target] = event.composedPath();
  const isFree =
    target === document.body || (target instanceof Element && target.matches('[part=heading], .itembank-item'));
  if (by === undefined || !isFree || player.dialog.name !== undefined) return;
  if (!isOn(player.options.navigation['enable_arrowkey_item_change'])) return;
  player.move(getComputedStyle(player).direction === 'rtl' ? -by : by);
}

function supervise(player: Host, event: KeyboardEvent): void {
  const { attempt } = player.shell;
  if (!event.ctrlKey || !event.shiftKey || event.key.toLowerCase() !== 'm') return;
  if (!attempt.started.supervised || !attempt.isStored) return;
  event.preventDefault();
  void openSupervisor(player).catch(() => undefined);
}

async function openSupervisor(player: Host): Promise<void> {
  const { Supervisor } = await import('./supervisor');
  // The learner must answer first which page goes on.
  if (player.dialog.name === 'supervisor' || player.dialog.name === 'elsewhere') return;
  player.supervisor = new Supervisor(player);
  player.stay();
  player.dialog.open('supervisor');
}
