import { useWindowEvent } from '@mantine/hooks';

/**
 * Passes on keys that are pressed outside of fields, without modifiers. @param press returns whether it used the key.
 */
export function useKeys(press: (key: string) => boolean): void {
  // Runs after the shell, which handles the letters that choose a screen.
  useWindowEvent('keydown', (event) => {
    const target = event.target as HTMLElement;
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented;
    if (isOther || target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog]')) return;
    if (press(event.key)) event.preventDefault();
  });
}
