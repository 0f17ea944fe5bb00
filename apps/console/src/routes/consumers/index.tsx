import { Badge, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkplace } from '../../session/session';
import { AddButton } from '../../ui/add-button';
import { type Column, DataTable, RowLink } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { SidePanel } from '../../ui/side-panel';
import { useAddress } from '../../ui/use-address';
import { Consumer } from './consumer';
import { consumersQuery, type ConsumerView, nameOf, type NewSecret } from './consumers';
import { CreateForm } from './create-form';
import { SecretDialog } from './secret-dialog';
import { useConsumerTexts } from './texts';

/** The programs that may call the API. The parameter `consumer` of the address names the open one. */
export default function Screen() {
  const t = useConsumerTexts();
  const address = useAddress();
  const consumers = useQuery(consumersQuery);
  const [made, setMade] = useState<NewSecret & { domains: readonly string[]; title: string }>();
  const wanted = address.get('consumer');
  const opened = consumers.data?.find(({ key }) => key === wanted);
  const columns = useColumns();

  return (
    <Page
      title={t('title')}
      actions={<AddButton onClick={() => address.set({ create: 'yes' })}>{t('create')}</AddButton>}
    >
      <Text>{t('about')}</Text>
      <Loaded query={consumers}>
        {(all) => (
          <DataTable
            label={t('list')}
            columns={columns}
            rows={all}
            keyOf={({ key }) => key}
            current={wanted}
            open={({ key }) => address.set({ consumer: key })}
            empty={<Empty title={t('none')} help={t('none_help')} />}
          />
        )}
      </Loaded>
      <SidePanel
        title={opened ? nameOf(opened) : t('gone')}
        isOpen={wanted !== '' && consumers.data !== undefined}
        close={() => address.set({ consumer: undefined })}
      >
        {opened ? (
          <Consumer
            key={opened.key}
            consumer={opened}
            showSecret={(secret) =>
              setMade({ ...secret, domains: opened.domains, title: t('rotated', nameOf(opened)) })
            }
          />
        ) : (
          <Text>{t('gone_help')}</Text>
        )}
      </SidePanel>
      <Dialog
        title={t('create')}
        isOpen={address.get('create') !== ''}
        close={() => address.set({ create: undefined })}
      >
        <CreateForm
          cancel={() => address.set({ create: undefined })}
          done={(label, secret) => {
            address.set({ create: undefined }, true);
            setMade({ ...secret, title: t('created', label) });
          }}
        />
      </Dialog>
      <SecretDialog title={made?.title ?? ''} made={made} close={() => setMade(undefined)} />
    </Page>
  );
}

function useColumns(): Column<ConsumerView>[] {
  const t = useConsumerTexts();
  const { session } = useWorkplace();
  const organisation = (id: number) => session.organisations.find((each) => each.id === id)?.name || String(id);
  return [
    {
      key: 'label',
      title: t('label'),
      render: ({ key, label }) => <RowLink search={{ consumer: key }}>{label || t('no_label')}</RowLink>,
    },
    { key: 'key', title: t('key'), width: 190, render: ({ key }) => <Code>{key}</Code> },
    { key: 'domains', title: t('domains'), render: ({ domains }) => domains.join(', ') },
    {
      key: 'access',
      title: t('access'),
      render: ({ grants }) =>
        grants.map(({ organisation: id, access }) => `${organisation(id)}: ${t(access)}`).join('; '),
    },
    {
      key: 'status',
      title: t('status'),
      width: 120,
      render: ({ status }) => (
        <Badge variant="dot" color={status === 'active' ? 'green' : 'red'} tt="none">
          {t(status)}
        </Badge>
      ),
    },
  ];
}
