import { notifications } from '@mantine/notifications';

/** Announces that something was done. */
export function toast(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000 });
}
