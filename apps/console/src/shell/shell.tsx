import {
  AppShell,
  Burger,
  Group,
  Kbd,
  Menu,
  NavLink,
  Select,
  Stack,
  Table,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUser } from '@tabler/icons-react';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Screen, SCREENS } from '../screens';
import { KEPT_MARKS } from '../session/kept-marks';
import { signOut, useMay, useWorkplace } from '../session/session';
import { type Language, LANGUAGES, setLanguage, useLanguage } from '../texts/texts';
import { GoTo } from './go-to';
import { OtherRole } from './not-found';
import { useShellTexts } from './texts';
import { Dialog } from '../ui/dialog';
import { keepFocus } from '../ui/keep-focus';

/** The letter after `g` that leads to a screen. */
const LETTERS: Partial<Record<Screen['name'], string>> = {
  bank: 'b',
  activities: 'a',
  pools: 'p',
  tags: 't',
  workflows: 'w',
  sessions: 's',
  marking: 'm',
  reports: 'r',
  jobs: 'j',
};

/** The time within which the letter must follow `g`. */
const LETTER_MS = 1_500;

/** The frame of every screen: navigation, search, and the menu of the person. */
export function Shell() {
  const t = useShellTexts();
  const router = useRouter();
  const path = useRouterState({ select: ({ location }) => location.pathname.replace(/^\/console/, '') });
  const [isMenuOpen, menu] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const screens = useScreens();
  const closed = useClosed(path, screens);
  const search = useRef<HTMLInputElement>(null);
  const letterUntil = useRef(0);

  useEffect(keepFocus, []);
  useKeptMarks();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        target.closest('input, textarea, select, [contenteditable], [role=dialog]')
      )
        return;
      if (letterUntil.current > event.timeStamp) {
        letterUntil.current = 0;
        const screen = screens.find(({ name }) => LETTERS[name] === event.key);
        if (screen) {
          event.preventDefault();
          void router.navigate({ to: screen.path });
        }
      } else if (event.key === '/') {
        event.preventDefault();
        search.current?.focus();
      } else if (event.key === '?') help.open();
      else if (event.key === 'g') letterUntil.current = event.timeStamp + LETTER_MS;
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [router, screens, help]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="xs">
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t(isMenuOpen ? 'close_menu' : 'open_menu')}
            />
            <Text component={Link} to="/" fw={700} visibleFrom="sm" c="inherit" td="none">
              Itembank
            </Text>
          </Group>
          <GoTo inputRef={search} />
          <PersonMenu openHelp={help.open} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu')} style={{ overflowY: 'auto' }}>
        <OrganisationChoice />
        {screens.map(({ path: to, name, icon: Icon }) => (
          <NavLink
            key={to}
            renderRoot={(props) => <Link to={to} {...props} />}
            label={t(name)}
            leftSection={<Icon size={18} aria-hidden />}
            active={isWithin(path, to)}
            aria-current={path === to ? 'page' : undefined}
            onClick={menu.close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {closed ? <OtherRole key={closed.path} name={t(closed.name)} /> : <Outlet />}
      </AppShell.Main>
      <Shortcuts isOpen={isHelpOpen} close={help.close} screens={screens} />
    </AppShell>
  );
}

/** Marks that a closed tab could not send any more are sent from here. */
function useKeptMarks(): void {
  const { person, organisations } = useWorkplace().session;
  useEffect(() => {
    if (!Object.keys(localStorage).some((name) => name.startsWith(KEPT_MARKS))) return;
    const ids = organisations.map(({ id }) => id);
    void import('../routes/marking/marks').then(({ sendKept }) => sendKept(ids, person.id));
  }, [person.id, organisations]);
}

/** The screens that the person's roles offer. */
function useScreens(): readonly Screen[] {
  const may = useMay();
  const { organisation } = useWorkplace();
  const isOperator = organisation.roles.includes('operator');
  return SCREENS.filter(({ needs }) => needs.some((each) => (each === 'operator' ? isOperator : may(each))));
}

const isWithin = (path: string, screen: string): boolean => path === screen || path.startsWith(`${screen}/`);

/** The screen at this address, if the person's roles do not include it. An open screen stays when the person loses a role. */
function useClosed(path: string, screens: readonly Screen[]): Screen | undefined {
  const { organisation, session } = useWorkplace();
  const [opened, setOpened] = useState('');
  const screen = SCREENS.find(({ path: of }) => isWithin(path, of));
  const key = `${session.person.id} ${organisation.id} ${screen?.path}`;
  const isOffered = screen !== undefined && screens.includes(screen);
  if (isOffered && opened !== key) setOpened(key);
  return isOffered || opened === key ? undefined : screen;
}

function OrganisationChoice() {
  const t = useShellTexts();
  const { session, organisation, choose } = useWorkplace();
  if (session.organisations.length === 1)
    return (
      <Text size="sm" c="dimmed" px="sm" pb="xs" className="wrap">
        {organisation.name}
      </Text>
    );
  return (
    <Select
      label={t('organisation')}
      data={session.organisations.map(({ id, name }) => ({ value: String(id), label: name || String(id) }))}
      value={String(organisation.id)}
      onChange={(id) => id !== null && choose(Number(id))}
      allowDeselect={false}
      pb="xs"
    />
  );
}

function PersonMenu({ openHelp }: { openHelp: () => void }) {
  const t = useShellTexts();
  const { session, refresh } = useWorkplace();
  const { firstname, lastname, email } = session.person;
  const name = `${firstname} ${lastname}`.trim() || email;
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton aria-label={`${t('account')}: ${name}`} p={6}>
          <Group gap={6} wrap="nowrap">
            <IconUser size={20} aria-hidden />
            <Text size="sm" visibleFrom="md" maw={180} truncate>
              {name}
            </Text>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item component={Link} to="/account">
          {t('account')}
        </Menu.Item>
        <Menu.Item component="a" href="/docs">
          {t('guides')}
        </Menu.Item>
        <Menu.Item onClick={openHelp}>{t('shortcuts')}</Menu.Item>
        <Menu.Label aria-hidden>{t('language')}</Menu.Label>
        <div role="group" aria-label={t('language')}>
          <Menu.RadioGroup value={language} onChange={(code) => setLanguage(code as Language)}>
            {Object.entries(LANGUAGES).map(([code, label]) => (
              <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </div>
        <Menu.Label aria-hidden>{t('colours')}</Menu.Label>
        <div role="group" aria-label={t('colours')}>
          <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}>
            {(['light', 'dark', 'auto'] as const).map((scheme) => (
              <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
                {t(scheme)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </div>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut().then(refresh, refresh)}>{t('sign_out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Shortcuts({ isOpen, close, screens }: { isOpen: boolean; close: () => void; screens: readonly Screen[] }) {
  const t = useShellTexts();
  const rows: [string[], string][] = [
    [['/'], t('shortcut_search')],
    [['?'], t('shortcut_help')],
    [['↑', '↓'], t('shortcut_rows')],
    [['g'], t('shortcut_go')],
    ...screens.flatMap(({ name }): [string[], string][] => (LETTERS[name] ? [[['g', LETTERS[name]], t(name)]] : [])),
  ];
  return (
    <Dialog isOpen={isOpen} close={close} title={t('shortcuts')} size="md">
      <Stack>
        <Table>
          <Table.Tbody>
            {rows.map(([keys, what]) => (
              <Table.Tr key={what}>
                <Table.Td w={90}>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Dialog>
  );
}
