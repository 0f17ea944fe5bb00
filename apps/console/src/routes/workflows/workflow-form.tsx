import { ActionIcon, Fieldset, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { AddButton } from '../../ui/add-button';
import { Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { messageAt } from '../../ui/fault-places';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import type { Workflow } from './diagram';
import { useWorkflowTexts } from './texts';
import { moved } from '../items/forms/data';

interface StateDraft {
  /** Stays the same while the person types the reference. */
  key: string;
  reference: string;
  label: string;
  description: string;
  /** Keys of states. */
  to: string[];
}

const AT = '/workflows/0';
let keys = 0;

const emptyState = (): StateDraft => ({ key: String(++keys), reference: '', label: '', description: '', to: [] });

function draftsOf(states: Workflow['workflow_states']): StateDraft[] {
  const drafts = states.map(({ reference, label, description }) => ({
    ...emptyState(),
    reference,
    label,
    description,
  }));
  return drafts.map((draft, index) => ({
    ...draft,
    to: states[index]!.workflow_transitions.flatMap(({ to_state_reference: to }) => keyOfState(drafts, to) ?? []),
  }));
}

const keyOfState = (states: readonly StateDraft[], wanted: string | undefined): string | null =>
  states.find(({ reference }) => reference === wanted)?.key ?? null;

interface WorkflowFormProps {
  /** Absent for a new one. */
  workflow?: Workflow;
  done: (reference: string) => void;
  cancel: () => void;
}

export function WorkflowForm({ workflow, done, cancel }: WorkflowFormProps) {
  const t = useWorkflowTexts();
  const queries = useQueryClient();
  const [reference, setReference] = useState(workflow?.reference ?? '');
  const [description, setDescription] = useState(workflow?.description ?? '');
  const [states, setStates] = useState(() =>
    workflow ? draftsOf(workflow.workflow_states) : [emptyState(), emptyState()],
  );
  const [initial, setInitial] = useState(() => keyOfState(states, workflow?.initial_state_reference));
  const [final, setFinal] = useState(() => keyOfState(states, workflow?.final_state_reference));
  // The workflow is read again meanwhile. So the form keeps the revision that it shows; 0: there is none yet.
  const [revision] = useState(workflow ? workflow.revision : 0);
  const { run, isBusy, fault } = useTask();
  const named = states.filter((state) => state.reference !== '');
  const choices = named.map(({ key, label, reference: name }) => ({ value: key, label: label || name }));
  const referenceOf = (wanted: string | null) => named.find(({ key }) => key === wanted)?.reference;
  const exists = (wanted: string | null) => referenceOf(wanted) !== undefined;

  const change = (key: string, changes: Partial<StateDraft>) =>
    setStates(states.map((state) => (state.key === key ? { ...state, ...changes } : state)));
  const move = (index: number, by: number) => setStates(moved(states, index, index + by));

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const wanted = {
        reference,
        description,
        initial_state_reference: referenceOf(initial) ?? '',
        final_state_reference: referenceOf(final) ?? '',
        workflow_states: states.map((state) => ({
          reference: state.reference,
          label: state.label,
          description: state.description,
          workflow_transitions: state.to
            .flatMap((to) => referenceOf(to) ?? [])
            .map((to, index) => ({ to_state_reference: to, display_order: index + 1 })),
        })),
        if_revision: revision,
      };
      await call('set itembank/workflows', { workflows: [wanted] });
      await queries.invalidateQueries({ queryKey: keyOf('get itembank/workflows') });
      toast(t('saved', reference));
      done(reference);
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        {!workflow && (
          <TextInput
            label={t('reference')}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
            error={messageAt(fault, `${AT}/reference`)}
            required
          />
        )}
        <TextInput
          label={t('description')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={messageAt(fault, `${AT}/description`)}
        />
        {states.map((state, index) => (
          <Fieldset key={state.key} legend={t('state_n', index + 1)}>
            <Stack gap="xs">
              <Group grow align="flex-start" preventGrowOverflow={false}>
                <TextInput
                  label={t('state_reference')}
                  value={state.reference}
                  onChange={(event) => change(state.key, { reference: event.currentTarget.value })}
                  error={messageAt(fault, `${AT}/workflow_states/${index}/reference`)}
                  required
                  miw={160}
                />
                <TextInput
                  label={t('label')}
                  value={state.label}
                  onChange={(event) => change(state.key, { label: event.currentTarget.value })}
                  error={messageAt(fault, `${AT}/workflow_states/${index}/label`)}
                  required
                  miw={160}
                />
              </Group>
              <TextInput
                label={t('description')}
                value={state.description}
                onChange={(event) => change(state.key, { description: event.currentTarget.value })}
              />
              <MultiSelect
                label={t('moves')}
                description={t('moves_help')}
                data={choices}
                value={state.to.filter(exists)}
                onChange={(to) => change(state.key, { to })}
                error={messageAt(fault, `${AT}/workflow_states/${index}/workflow_transitions`)}
              />
              <Group gap="xs">
                <ActionIcon
                  variant="default"
                  size="lg"
                  disabled={index === 0}
                  aria-label={t('up', index + 1)}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  disabled={index === states.length - 1}
                  aria-label={t('down', index + 1)}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t('remove_state', index + 1)}
                  onClick={() => setStates(states.filter(({ key }) => key !== state.key))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            </Stack>
          </Fieldset>
        ))}
        <Group>
          <AddButton variant="default" onClick={() => setStates([...states, emptyState()])}>
            {t('add_state')}
          </AddButton>
        </Group>
        <Select
          label={t('initial')}
          data={choices}
          value={exists(initial) ? initial : null}
          onChange={setInitial}
          error={messageAt(fault, `${AT}/initial_state_reference`)}
          required
        />
        <Select
          label={t('final')}
          data={choices}
          value={exists(final) ? final : null}
          onChange={setFinal}
          error={messageAt(fault, `${AT}/final_state_reference`)}
          required
        />
        <FaultAlert fault={fault} />
        <Actions cancel={cancel} loading={isBusy}>
          {t('save')}
        </Actions>
      </Stack>
    </form>
  );
}
