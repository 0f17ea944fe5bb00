import { Anchor, Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, keyOf, type Output, pagesOf } from '../../operations/call';
import { useWorkplace } from '../../session/session';
import { Dialog, Actions } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { QueryFault } from '../../ui/loaded';
import { fieldOf } from '../../ui/field-of';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { type BankSearch, bankSearch } from './filters';
import { useViewTexts } from './view-texts';

type View = Output<'get itembank/views'>[number];

const SCREEN = 'items';

/** All views of the list that the person sees, by name. */
function useViews() {
  return useQuery({
    queryKey: [...keyOf('get itembank/views'), SCREEN],
    queryFn: async ({ signal }) => {
      const found: View[] = [];
      for await (const views of pagesOf((next) => call('get itembank/views', { screen: SCREEN, ...next }, signal)))
        found.push(...views);
      return found.sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

/** Saved views: selects one, saves the present one, and deletes the person's own. */
export default function Views({ search }: { search: BankSearch }) {
  const t = useViewTexts();
  const navigate = useNavigate();
  const views = useViews();
  const [isOpen, list] = useDisclosure();
  const [isSaving, saving] = useDisclosure();
  const [isManaging, managing] = useDisclosure();
  const groups = [
    ['shared', views.data?.filter(({ shared }) => shared) ?? []],
    ['own', views.data?.filter(({ shared }) => !shared) ?? []],
  ] as const;
  return (
    <>
      <Popover position="bottom-end" trapFocus opened={isOpen} onChange={list.toggle}>
        <Popover.Target>
          {/* A list that came later would move the buttons below it. */}
          <Button variant="default" size="compact-sm" onClick={list.toggle} loading={views.isPending}>
            {t('views')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown
          aria-label={t('views')}
          maw="min(320px, calc(100vw - 2rem))"
          mah={400}
          style={{ overflow: 'auto' }}
        >
          <Stack gap="xs">
            {groups.map(
              ([name, all]) =>
                all.length > 0 && (
                  <Stack key={name} gap={2} role="group" aria-label={t(name)}>
                    <Text size="sm" c="dimmed" aria-hidden>
                      {t(name)}
                    </Text>
                    {all.map(({ reference, name: text, address }) => (
                      <Button
                        key={reference}
                        variant="subtle"
                        size="compact-sm"
                        justify="start"
                        h="auto"
                        styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
                        onClick={() => {
                          list.close();
                          void navigate({ to: '.', search: { ...bankSearch(address) }, replace: false });
                        }}
                      >
                        {text}
                      </Button>
                    ))}
                  </Stack>
                ),
            )}
            <QueryFault query={views} />
            <Group gap="xs">
              <Button variant="default" size="compact-sm" onClick={() => (list.close(), saving.open())}>
                {t('save_as')}
              </Button>
              {(views.data?.length ?? 0) > 0 && (
                <Button variant="default" size="compact-sm" onClick={() => (list.close(), managing.open())}>
                  {t('manage')}
                </Button>
              )}
            </Group>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <SaveView isOpen={isSaving} close={saving.close} search={search} />
      <Dialog title={t('manage_title')} isOpen={isManaging} close={managing.close} size="md">
        <ManageViews views={views.data ?? []} />
      </Dialog>
    </>
  );
}

function SaveView({ isOpen, close, search }: { isOpen: boolean; close: () => void; search: BankSearch }) {
  const t = useViewTexts();
  const queries = useQueryClient();
  const [isShared, setShared] = useState(false);
  // A view that is sent again after a lost answer is the same view.
  const [reference, setReference] = useState(() => crypto.randomUUID());
  const { run, isBusy, fault, clear } = useTask();
  const leave = () => {
    clear();
    close();
  };

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = fieldOf(event.currentTarget, 'name').trim();
    const address = Object.fromEntries(
      Object.entries({ ...search, item: undefined }).filter(([, value]) => value !== undefined),
    );
    const isSaved = await run(async () => {
      await call('set itembank/views', {
        views: [{ reference, screen: SCREEN, name, shared: isShared, address, if_revision: 0 }],
      });
      await queries.invalidateQueries({ queryKey: keyOf('get itembank/views') });
    });
    if (!isSaved) return;
    toast(t('saved', name));
    setReference(crypto.randomUUID());
    close();
  }

  return (
    <Dialog title={t('save_title')} isOpen={isOpen} close={leave} size="md">
      <form onSubmit={(event) => void save(event)}>
        <Stack>
          <Text size="sm">{t('save_help')}</Text>
          <TextInput label={t('name')} name="name" required maxLength={100} data-autofocus />
          <Checkbox
            label={t('share')}
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <FaultAlert fault={fault} />
          <Actions cancel={leave} loading={isBusy}>
            {t('save')}
          </Actions>
        </Stack>
      </form>
    </Dialog>
  );
}

function ManageViews({ views }: { views: readonly View[] }) {
  const t = useViewTexts();
  const queries = useQueryClient();
  const { session } = useWorkplace();
  const { run, isBusy, fault } = useTask();
  const remove = (reference: string) =>
    run(async () => {
      await call('update itembank/views', { references: [reference], action: 'delete' });
      await queries.invalidateQueries({ queryKey: keyOf('get itembank/views') });
    });
  if (views.length === 0) return <Empty title={t('none')} />;
  return (
    <Stack>
      <FaultAlert fault={fault} />
      {views.map(({ reference, name, shared, owner }) => (
        <Group key={reference} justify="space-between" wrap="nowrap">
          <div>
            <Text className="wrap">{name}</Text>
            <Text size="sm" c="dimmed">
              {t(shared ? 'shared' : 'own')}
            </Text>
          </div>
          {owner === null || owner === session.person.id ? (
            <Anchor
              component="button"
              type="button"
              disabled={isBusy}
              aria-label={t('delete_view', name)}
              onClick={() => void remove(reference)}
            >
              {t('delete')}
            </Anchor>
          ) : (
            <Text size="sm" c="dimmed">
              {t('of_others')}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  );
}
