import { Badge, Button, Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkplace } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { type Column, DataTable, RowLink } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { SidePanel } from '../../ui/side-panel';
import { useAddress } from '../../ui/use-address';
import { InviteForm } from './invite-form';
import { LinkDialog } from './link-dialog';
import { nameOf, type NewLink, peopleQuery, type PersonView, rolesIn } from './people';
import { Person } from './person';
import { usePeopleTexts } from './texts';

/**
 * The people of the operator's organisations. The address contains the search (`text`) and the open person (`person`).
 */
export default function Screen() {
  const t = usePeopleTexts();
  const address = useAddress();
  const people = useQuery(peopleQuery);
  const [made, setMade] = useState<{ title: string; link: NewLink }>();
  const text = address.get('text');
  const wanted = address.get('person');
  const opened = people.data?.find(({ id }) => id === wanted);
  const columns = useColumns();
  const close = () => address.set({ person: undefined });

  return (
    <Page
      title={t('title')}
      actions={
        <Button
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={() => address.set({ invite: 'yes', person: undefined })}
        >
          {t('invite')}
        </Button>
      }
    >
      <TextInput
        type="search"
        label={t('search')}
        defaultValue={text}
        onChange={(event) => address.set({ text: event.currentTarget.value }, true)}
        maw={420}
      />
      <Loaded query={people}>
        {(all) => (
          <DataTable
            label={t('list')}
            columns={columns}
            rows={matching(all, text)}
            keyOf={({ id }) => id}
            current={wanted}
            open={({ id }) => address.set({ person: id })}
            empty={<Empty title={t('nobody')} help={t('nobody_help')} />}
          />
        )}
      </Loaded>
      <SidePanel
        title={opened ? nameOf(opened) : t('gone')}
        isOpen={wanted !== '' && people.data !== undefined}
        close={close}
      >
        {opened ? (
          <Person
            key={opened.id}
            person={opened}
            close={close}
            showLink={(link) => setMade({ title: t('link_title', nameOf(opened)), link })}
          />
        ) : (
          <Text>{t('gone_help')}</Text>
        )}
      </SidePanel>
      <Dialog
        title={t('invite')}
        isOpen={address.get('invite') !== ''}
        close={() => address.set({ invite: undefined })}
      >
        <InviteForm
          cancel={() => address.set({ invite: undefined })}
          done={(email, link) => {
            address.set({ invite: undefined }, true);
            setMade({ title: t('invited_title', email), link });
          }}
        />
      </Dialog>
      <LinkDialog title={made?.title ?? ''} link={made?.link} close={() => setMade(undefined)} />
    </Page>
  );
}

function matching(all: readonly PersonView[], text: string): PersonView[] {
  const sought = text.trim().toLowerCase();
  return all
    .filter((person) => `${nameOf(person)} ${person.email}`.toLowerCase().includes(sought))
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

function useColumns(): Column<PersonView>[] {
  const t = usePeopleTexts();
  const { organisation, session } = useWorkplace();
  const nameOfOrganisation = (id: number) => session.organisations.find((each) => each.id === id)?.name || String(id);
  return [
    {
      key: 'person',
      title: t('person'),
      render: (person) => (
        <>
          <RowLink search={{ person: person.id }}>{nameOf(person)}</RowLink>
          {nameOf(person) !== person.email && (
            <Text size="xs" c="dimmed" truncate>
              {person.email}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'roles',
      title: t('roles'),
      render: (person) => {
        const here = rolesIn(person, organisation.id);
        const elsewhere = person.roles.filter(({ organisation: id }) => id !== organisation.id);
        return (
          <Text size="sm" truncate>
            {here.length > 0 ? here.map((role) => t(`role_${role}`)).join(', ') : t('no_roles')}
            {elsewhere.length > 0 &&
              ` – ${t('also', elsewhere.map(({ organisation: id }) => nameOfOrganisation(id)).join(', '))}`}
          </Text>
        );
      },
    },
    {
      key: 'status',
      title: t('status'),
      width: 130,
      render: ({ status, signed_in_at: at }) => (
        <Badge variant="dot" color={status === 'disabled' ? 'red' : at === null ? 'gray' : 'green'} tt="none">
          {t(status === 'disabled' ? 'disabled' : at === null ? 'invited' : 'active')}
        </Badge>
      ),
    },
    {
      key: 'last_sign_in',
      title: t('last_sign_in'),
      width: 190,
      render: ({ signed_in_at: at }) => (at === null ? t('never') : dateOf(at)),
    },
  ];
}
