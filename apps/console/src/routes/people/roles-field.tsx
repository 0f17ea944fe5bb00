import { type ReactNode } from 'react';
import { Checkbox, Select, Stack } from '@mantine/core';
import { type Role, useWorkplace } from '../../session/session';
import { ROLES, type RolesIn } from './people';
import { usePeopleTexts } from './texts';

interface RolesFieldProps {
  value: RolesIn;
  change: (value: RolesIn) => void;
  /** The roles of the person in another organisation, for when the operator chooses that. */
  rolesIn?: (organisation: number) => Role[];
  error?: ReactNode;
}

/** The roles in one of the operator's organisations, each with a description. */
export function RolesField({ value, change, rolesIn = () => [], error }: RolesFieldProps) {
  const t = usePeopleTexts();
  const { session } = useWorkplace();
  const operated = session.organisations.filter(({ roles }) => roles.includes('operator'));
  const name = operated.find(({ id }) => id === value.organisation)?.name || String(value.organisation);
  return (
    <Stack gap="sm">
      {operated.length > 1 && (
        <Select
          label={t('organisation')}
          data={operated.map(({ id, name: label }) => ({ value: String(id), label: label || String(id) }))}
          value={String(value.organisation)}
          onChange={(id) => id !== null && change({ organisation: Number(id), roles: rolesIn(Number(id)) })}
          allowDeselect={false}
        />
      )}
      <Checkbox.Group
        label={t('roles_here', name)}
        error={error}
        value={value.roles}
        onChange={(roles) => change({ ...value, roles: ROLES.filter((role) => roles.includes(role)) })}
      >
        <Stack gap="xs" mt="xs">
          {ROLES.map((role) => (
            <Checkbox key={role} value={role} label={t(`role_${role}`)} description={t(`${role}_help`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}
