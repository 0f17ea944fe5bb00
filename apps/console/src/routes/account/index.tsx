import { Box, Button, Divider, Group, Stack, Table, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { http } from '../../operations/http';
import { signOut, useWorkplace } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { type Fact, FactTable } from '../../ui/fact-table';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Scrolled } from '../../ui/scrolled';
import { usePeopleTexts } from '../people/texts';
import { browserName } from './browser-name';
import { PasswordForm } from './password-form';
import { useAccountTexts } from './texts';

interface BrowserView {
  browser: string;
  signed_in_at: string;
  seen_at: string;
  is_this: boolean;
}

const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: ({ signal }) => http<BrowserView[]>('GET', '/console/session/browsers', undefined, signal),
});

/** The person's own account. */
export default function Screen() {
  const t = useAccountTexts();
  const browsers = useQuery(browsersQuery);
  return (
    <Page title={t('title')}>
      <Facts />
      <Divider />
      <PasswordForm done={() => browsers.refetch()} />
      <Divider />
      <Stack>
        <Title order={2} size="h4">
          {t('browsers')}
        </Title>
        <Loaded query={browsers}>{(all) => <Browsers all={all} />}</Loaded>
      </Stack>
    </Page>
  );
}

function Facts() {
  const t = useAccountTexts();
  const role = usePeopleTexts();
  const { session } = useWorkplace();
  const { email, firstname, lastname } = session.person;
  const rows: Fact[] = [
    [t('name'), `${firstname} ${lastname}`.trim() || '–'],
    [t('email'), email],
    ...session.organisations.map(({ id, name, roles }): Fact => [
      `${t('roles')}: ${name || id}`,
      roles.map((each) => role(`role_${each}`)).join(', '),
    ]),
  ];
  return (
    <Box maw={640}>
      <FactTable rows={rows} />
    </Box>
  );
}

function Browsers({ all }: { all: readonly BrowserView[] }) {
  const t = useAccountTexts();
  const { refresh } = useWorkplace();
  const [isAsked, setAsked] = useState(false);
  return (
    <Stack>
      <Scrolled label={t('browsers')} heads={[t('browser'), t('signed_in_at'), t('seen_at')]}>
        {all.map((each, index) => (
          <Table.Tr key={index}>
            <Table.Td>
              <Text size="sm" title={each.browser}>
                {browserName(each.browser) ?? t('unknown_browser')}
              </Text>
              {each.is_this && (
                <Text size="xs" c="dimmed">
                  {t('is_this')}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{dateOf(each.signed_in_at)}</Table.Td>
            <Table.Td>{dateOf(each.seen_at)}</Table.Td>
          </Table.Tr>
        ))}
      </Scrolled>
      <Group>
        <Button variant="default" onClick={() => void signOut().then(refresh, refresh)}>
          {t('sign_out')}
        </Button>
        <Button variant="outline" color="red" onClick={() => setAsked(true)}>
          {t('everywhere')}
        </Button>
      </Group>
      <Ask
        title={t('everywhere')}
        text={all.length === 1 ? t('everywhere_text_one') : t('everywhere_text', all.length)}
        action={t('everywhere')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        work={async () => {
          await signOut(true);
          await refresh();
        }}
      />
    </Stack>
  );
}
