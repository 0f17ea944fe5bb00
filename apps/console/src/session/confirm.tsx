import { PasswordInput, Stack, Text } from '@mantine/core';
import { createContext, type FormEvent, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { Fault } from '../operations/fault';
import { FaultAlert } from '../ui/fault-alert';
import { fieldOf } from '../ui/field-of';
import { confirmIdentity, useWorkplace } from './session';
import { useSessionTexts } from './texts';
import { Dialog, Actions } from '../ui/dialog';
import { useTask } from '../ui/use-task';

type Guarded = <T>(work: () => Promise<T>) => Promise<T>;

const ConfirmContext = createContext<Guarded>((work) => work());

/**
 * Runs calls that need a recent proof of identity. When the service asks for one, the person confirms with the password,
 * and the call runs again.
 */
export const useConfirmed = (): Guarded => useContext(ConfirmContext);

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const t = useSessionTexts();
  const { session } = useWorkplace();
  const [isOpen, setOpen] = useState(false);
  const { run, fault, clear } = useTask();
  const waiting = useRef<{ resolve: () => void; reject: (error: unknown) => void }>(null);

  const guarded = useMemo<Guarded>(
    () => async (work) => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Fault && error.needsConfirmation)) throw error;
        await new Promise<void>((resolve, reject) => {
          waiting.current = { resolve, reject: () => reject(error) };
          clear();
          setOpen(true);
        });
        return work();
      }
    },
    [clear],
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = fieldOf(event.currentTarget, 'password');
    void run(async () => {
      await confirmIdentity(password);
      setOpen(false);
      waiting.current?.resolve();
    });
  }

  function cancel() {
    setOpen(false);
    waiting.current?.reject(undefined);
  }

  return (
    <ConfirmContext value={guarded}>
      {children}
      <Dialog isOpen={isOpen} close={cancel} title={t('confirm_title')} size="md">
        {session.person.has_password ? (
          <form onSubmit={submit}>
            <Stack>
              <Text>{t('confirm_help')}</Text>
              <FaultAlert fault={fault} />
              <PasswordInput
                name="password"
                label={t('password')}
                autoComplete="current-password"
                required
                data-autofocus
              />
              <Actions cancel={cancel}>{t('confirm')}</Actions>
            </Stack>
          </form>
        ) : (
          <Text>{t('confirm_no_password')}</Text>
        )}
      </Dialog>
    </ConfirmContext>
  );
}
