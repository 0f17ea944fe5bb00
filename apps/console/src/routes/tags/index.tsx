import { Text } from '@mantine/core';
import { Page } from '../../ui/page';

export default function Screen() {
  return (
    <Page title="…">
      <Text>…</Text>
    </Page>
  );
}
