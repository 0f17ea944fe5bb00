import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkplace } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { AddButton } from '../../ui/add-button';
import { CopyField } from '../../ui/copy-field';
import { type Column, DataTable, RowLink } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { SidePanel } from '../../ui/side-panel';
import { useAddress } from '../../ui/use-address';
import { CreateForm } from './create-form';
import { type Sink, sinksQuery } from './events';
import { SinkView } from './sink-view';
import { useEventTexts } from './texts';

const COLOURS = { works: 'green', unreachable: 'red', paused: 'gray' } as const;
const idOf = ({ type, name }: Sink) => `${type}:${name}`;

/** The receivers of the organisation's events. The parameter `sink` of the address names the open one. */
export default function Screen() {
  const t = useEventTexts();
  const address = useAddress();
  const { organisation } = useWorkplace();
  const query = useQuery(sinksQuery(organisation.id));
  const [made, setMade] = useState<{ name: string; secret: string }>();
  const columns = useColumns();
  const wanted = address.get('sink');
  const opened = query.data?.sinks.find((sink) => idOf(sink) === wanted);
  const close = () => address.set({ sink: undefined });
  const cancel = () => address.set({ create: undefined });

  return (
    <Page
      title={t('title')}
      actions={<AddButton onClick={() => address.set({ create: 'yes' })}>{t('create')}</AddButton>}
    >
      <Text>{t('about')}</Text>
      <Loaded query={query}>
        {({ sinks, kinds, has_streams: hasStreams }) => (
          <>
            <DataTable
              label={t('list')}
              columns={columns}
              rows={sinks}
              keyOf={idOf}
              current={wanted}
              open={(sink) => address.set({ sink: idOf(sink) })}
              empty={<Empty title={t('none')} help={t('none_help')} />}
            />
            <Dialog title={t('create')} isOpen={address.get('create') !== ''} close={cancel}>
              <CreateForm
                organisation={organisation.id}
                kinds={kinds}
                hasStreams={hasStreams}
                cancel={cancel}
                done={(name, secret) => {
                  address.set({ create: undefined }, true);
                  if (secret !== undefined) setMade({ name, secret });
                }}
              />
            </Dialog>
          </>
        )}
      </Loaded>
      <SidePanel
        title={opened ? opened.name : t('gone')}
        isOpen={wanted !== '' && query.data !== undefined}
        close={close}
        size="xl"
      >
        {opened ? (
          <SinkView key={wanted} organisation={organisation.id} sink={opened} closed={close} />
        ) : (
          <Text>{t('gone_help')}</Text>
        )}
      </SidePanel>
      <Dialog
        title={t('created', made?.name ?? '')}
        isOpen={made !== undefined}
        close={() => setMade(undefined)}
        mustBeClosed
      >
        {made && (
          <Stack>
            <Text>{t('secret_help')}</Text>
            <CopyField label={t('secret')} value={made.secret} />
            <Group justify="flex-end">
              <Button onClick={() => setMade(undefined)}>{t('close')}</Button>
            </Group>
          </Stack>
        )}
      </Dialog>
    </Page>
  );
}

function useColumns(): Column<Sink>[] {
  const t = useEventTexts();
  return [
    {
      key: 'name',
      title: t('name'),
      width: 150,
      render: (sink) => <RowLink search={{ sink: idOf(sink) }}>{sink.name}</RowLink>,
    },
    { key: 'type', title: t('type'), width: 110, render: ({ type }) => t(type) },
    { key: 'target', title: t('target'), render: ({ url, stream }) => url ?? stream },
    {
      key: 'state',
      title: t('state'),
      width: 160,
      render: ({ failing_since: since, paused_at: paused }) => {
        const state = paused !== null ? 'paused' : since === null ? 'works' : 'unreachable';
        return (
          <Badge variant="dot" color={COLOURS[state]} tt="none">
            {t(state)}
          </Badge>
        );
      },
    },
    { key: 'dead', title: t('dead'), width: 120, render: ({ dead }) => numberOf(dead) },
  ];
}
