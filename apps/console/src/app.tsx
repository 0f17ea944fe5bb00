import { Button, Center, Loader, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { setOrganisation } from './operations/call';
import { callerNow, onRefused, onSignedOut } from './operations/http';
import { createConsoleRouter } from './router';
import { ConfirmProvider } from './session/confirm';
import { LinkPage } from './session/link-page';
import { type Session, type SignInOptions, signOut, whoAmI, type Workplace, WorkplaceContext } from './session/session';
import { CentredPage, SignInForm, SignInPage } from './session/sign-in-page';
import { useSessionTexts } from './session/texts';
import { ModalWindow } from './ui/dialog';
import { FaultAlert } from './ui/fault-alert';

/** The chosen organisation, in the storage of the window and, for new windows, of the browser. */
const KEY = 'itembank-organisation';

/** Reads the session of the person, and shows the sign-in page or the console. */
export function App() {
  const t = useSessionTexts();
  const [session, setSession] = useState<Session | null>();
  const [options, setOptions] = useState<SignInOptions>({});
  const [failure, setFailure] = useState<unknown>();
  const queries = useQueryClient();
  const person = useRef<string>(undefined);

  const read = useCallback(async () => {
    const { session: found, options: offered } = await whoAmI();
    // The next person may not be allowed to see what this page has read.
    if (person.current !== undefined && person.current !== found?.person.id) queries.clear();
    person.current = found?.person.id;
    setSession(found);
    setOptions(offered);
  }, [queries]);
  const load = useCallback(async () => {
    setFailure(undefined);
    await read().catch(setFailure);
  }, [read]);
  useEffect(() => void load(), [load]);

  if (location.pathname === '/console/link') return <LinkPage done={load} />;
  if (failure !== undefined)
    return (
      <CentredPage title={t('unreachable')}>
        <FaultAlert fault={failure} />
        <Button onClick={() => void load()}>{t('try_again')}</Button>
      </CentredPage>
    );
  if (session === undefined)
    return (
      <Center mih="100vh">
        <Loader aria-label={t('loading')} />
      </Center>
    );
  if (session === null) return <SignInPage options={options} done={load} />;
  if (session.organisations.length === 0)
    return (
      <CentredPage title={t('no_role')}>
        <Text>{t('no_role_help')}</Text>
        <Button onClick={() => void signOut().then(load, load)}>{t('sign_out')}</Button>
      </CentredPage>
    );
  return <SignedIn key={session.person.id} session={session} options={options} read={read} refresh={load} />;
}

function SignedIn({
  session,
  options,
  read,
  refresh,
}: {
  session: Session;
  options: SignInOptions;
  /** Reads the session. When it fails, the screen stays, with what was typed. */
  read: () => Promise<void>;
  refresh: () => Promise<void>;
}) {
  const t = useSessionTexts();
  const queries = useQueryClient();
  const { organisations } = session;
  const [id, setId] = useState(() => Number(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)));
  const organisation = organisations.find((each) => each.id === id) ?? organisations[0]!;
  setOrganisation(organisation.id);
  useEffect(() => sessionStorage.setItem(KEY, String(organisation.id)), [organisation.id]);
  const [hasEnded, setEnded] = useState(false);
  const router = useMemo(() => createConsoleRouter(), []);

  useEffect(() => onSignedOut(() => setEnded(true)), []);

  // An operator may have changed the roles. This screen keeps the refusal and what was typed; the next one shows what
  // the roles allow now.
  useEffect(() => {
    let isOld = false;
    const stop = onRefused(() => (isOld = true));
    const leave = router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (!isOld || !pathChanged) return;
      isOld = false;
      void refresh();
    });
    return () => {
      stop();
      leave();
    };
  }, [router, refresh]);

  const goOn = useCallback(async () => {
    await read();
    setEnded(false);
    await queries.invalidateQueries();
  }, [queries, read]);

  // The person may sign in again in another tab, with a link or at the provider of OpenID Connect, and come back.
  const { id: person } = session.person;
  useWindowEvent('focus', () => {
    if (!hasEnded) return;
    void callerNow()
      .then((caller) => (caller.person === person ? goOn() : undefined))
      .catch(() => undefined);
  });

  const workplace = useMemo<Workplace>(
    () => ({
      session,
      organisation,
      choose(chosen) {
        localStorage.setItem(KEY, String(chosen));
        setOrganisation(chosen);
        setId(chosen);
        queries.clear();
        void router.navigate({ to: '/' });
      },
      read,
      refresh,
    }),
    [session, organisation, queries, router, read, refresh],
  );

  return (
    <WorkplaceContext value={workplace}>
      <ConfirmProvider>
        <RouterProvider router={router} />
        {hasEnded && (
          <Suspense>
            <ModalWindow opened onClose={() => undefined} withCloseButton={false} title={t('sign_in')}>
              <Stack>
                <SignInForm options={options} hasEnded done={goOn} />
              </Stack>
            </ModalWindow>
          </Suspense>
        )}
      </ConfirmProvider>
    </WorkplaceContext>
  );
}
