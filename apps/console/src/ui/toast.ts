import { notifications } from '@mantine/notifications';

/** Announces that something was done. */
export function toast(message: string): void {
  const closeButtonProps = { 'aria-label': document.documentElement.lang === 'de' ? 'Schließen' : 'Close' };
  notifications.show({ message, color: 'green', autoClose: 4_000, closeButtonProps });
}
