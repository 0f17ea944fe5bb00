import '@mantine/notifications/styles.layer.css';
import { Notifications, notifications } from '@mantine/notifications';

export function show(message: string): void {
  const closeButtonProps = { 'aria-label': document.documentElement.lang === 'de' ? 'Schließen' : 'Close' };
  notifications.show({ message, color: 'green', autoClose: 4_000, closeButtonProps });
}

/** Announcements at the edge of the page. */
export default function Toasts() {
  return <Notifications position="bottom-right" />;
}
