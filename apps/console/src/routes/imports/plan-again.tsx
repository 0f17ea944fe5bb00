import { Button, Collapse, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { keyOf } from '../../operations/call';
import type { Import } from '../../operations/operations';
import { FaultAlert } from '../../ui/fault-alert';
import { useAddress } from '../../ui/use-address';
import { useTask } from '../../ui/use-task';
import { Options } from './options';
import { useImportTexts } from './texts';
import { type ImportOptions, plan } from './upload';

/** Plans an uploaded file again with other options. */
export function PlanAgain({ found }: { found: Import }) {
  const t = useImportTexts();
  const panel = useId();
  const queries = useQueryClient();
  const { set } = useAddress();
  const [isOpen, disclosure] = useDisclosure();
  const [options, setOptions] = useState<ImportOptions>({ rule: found.on_collision });
  const { run, isBusy, fault } = useTask();
  const start = () =>
    run(async () => {
      const reference = await plan(found.key, options);
      await queries.invalidateQueries({ queryKey: keyOf('get itembank/imports') });
      set({ import: reference, result: undefined, notes: undefined });
    });
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={disclosure.toggle}
      >
        {t('again')}
      </Button>
      <Collapse expanded={isOpen} id={panel}>
        <Paper withBorder p="md" mt="xs">
          <Stack>
            <Options options={options} change={setOptions} />
            <FaultAlert fault={fault} />
            <Group>
              <Button variant="default" loading={isBusy} onClick={() => void start()}>
                {t('plan_again')}
              </Button>
              <Text size="sm" c="dimmed">
                {t('again_help')}
              </Text>
            </Group>
          </Stack>
        </Paper>
      </Collapse>
    </div>
  );
}
