import { Button, NumberInput, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { http } from '../../operations/http';
import { useConfirmed } from '../../session/confirm';
import { type Organisation, useWorkplace } from '../../session/session';
import { AddButton } from '../../ui/add-button';
import { Dialog, Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { QueryFault } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { toast } from '../../ui/toast';
import { UnsureFault } from '../../ui/unsure-fault';
import { useAddress } from '../../ui/use-address';
import { useTask } from '../../ui/use-task';
import { useOrganisationTexts } from './texts';
import { Scrolled } from '../../ui/scrolled';

const PATH = '/console/organisations';

/** The organisations in which the person is an operator. The address says what is open: `create`, or `rename` with a number. */
export default function Screen() {
  const t = useOrganisationTexts();
  const address = useAddress();
  const { session, read } = useWorkplace();
  const { run, fault } = useTask();
  const readList = () => run(read);
  /** Closes the form, and reads the list again: the change may have been made although the answer was lost. */
  const close = () => {
    address.set({ create: undefined, rename: undefined });
    void readList();
  };
  const operated = session.organisations.filter(({ roles }) => roles.includes('operator'));
  const renamed = operated.find(({ id }) => String(id) === address.get('rename'));

  return (
    <Page
      title={t('title')}
      actions={<AddButton onClick={() => address.set({ create: 'yes' })}>{t('create')}</AddButton>}
    >
      <Text>{t('about')}</Text>
      <QueryFault query={{ error: fault, refetch: readList }} />
      <Scrolled label={t('list')} heads={[t('id'), t('name'), t('rename')]}>
        {operated.map(({ id, name }) => (
          <Table.Tr key={id}>
            <Table.Td>{id}</Table.Td>
            <Table.Td className="wrap" miw={140}>
              {name}
            </Table.Td>
            <Table.Td>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('rename_of', name || id)}
                onClick={() => address.set({ rename: String(id) })}
              >
                {t('rename')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Scrolled>
      <Dialog title={t('create')} isOpen={address.get('create') !== ''} close={close}>
        <OrganisationForm close={close} />
      </Dialog>
      <Dialog title={t('rename_of', renamed?.name || String(renamed?.id))} isOpen={renamed !== undefined} close={close}>
        <OrganisationForm before={renamed} close={close} />
      </Dialog>
    </Page>
  );
}

/** Makes an organisation, or renames one. */
function OrganisationForm({ before, close }: { before?: Organisation; close: () => void }) {
  const t = useOrganisationTexts();
  const confirmed = useConfirmed();
  const [id, setId] = useState<number | string>('');
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = fieldOf(event.currentTarget, 'name').trim();
    void run(async () => {
      await confirmed(() =>
        before
          ? http<void>('PATCH', `${PATH}/${before.id}`, { name })
          : http<unknown>('POST', PATH, { id: Number(id), name }),
      );
      close();
      toast(t(before ? 'renamed' : 'created', name));
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        {!before && (
          <>
            <Text>{t('yours')}</Text>
            <NumberInput
              label={t('id')}
              description={t('id_help')}
              value={id}
              onChange={setId}
              allowDecimal={false}
              clampBehavior="none"
              error={messageAt(fault, '/id')}
              required
              data-autofocus
            />
          </>
        )}
        <TextInput
          name="name"
          label={t('name')}
          defaultValue={before?.name}
          error={messageAt(fault, '/name')}
          maxLength={255}
          required
          data-autofocus={before ? true : undefined}
        />
        {before ? (
          <FaultAlert fault={besides(fault, ['/id', '/name'])} />
        ) : (
          <UnsureFault fault={besides(fault, ['/id', '/name'])} />
        )}
        <Actions cancel={close} loading={isBusy}>
          {before ? t('save') : t('create')}
        </Actions>
      </Stack>
    </form>
  );
}
