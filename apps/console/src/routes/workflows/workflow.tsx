import { Button, Grid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../../operations/call';
import { useMay } from '../../session/session';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { useUnsaved } from '../../ui/use-unsaved';
import { ChangesLink } from '../audit/changes-link';
import { Diagram } from './diagram';
import { StatesTable } from './states-table';
import { useWorkflowTexts } from './texts';
import { WorkflowForm } from './workflow-form';
import { useParam } from '../../ui/use-param';
import { useUiTexts } from '../../ui/texts';

/** One workflow. The address says whether it is being changed (`edit`). */
export default function Screen() {
  const t = useWorkflowTexts();
  const may = useMay();
  const address = useAddress();
  const reference = useParam('reference');
  const found = useQuery(
    read('get itembank/workflows', { references: [reference], include: { workflows: ['revision', 'num_items'] } }),
  );
  const mayChange = may('set itembank/workflows');
  const isChanged = mayChange && address.get('edit') !== '';
  const unsaved = useUnsaved(useUiTexts()('unsaved'), { withLinks: true });
  const stop = () => address.set({ edit: undefined });
  return (
    <Page
      title={t('workflow', reference)}
      actions={
        !isChanged &&
        found.data?.data.length === 1 && (
          <>
            <ChangesLink subject="workflow" reference={reference} />
            {mayChange && <Button onClick={() => address.set({ edit: 'yes' })}>{t('edit')}</Button>}
          </>
        )
      }
    >
      <Loaded query={found}>
        {({ data: [workflow] }) =>
          !workflow ? (
            <Empty title={t('gone')} help={t('gone_help')}>
              <Button variant="default" component={Link} to="/workflows">
                {t('title')}
              </Button>
            </Empty>
          ) : isChanged ? (
            <div onInput={unsaved.noteTyping}>
              <WorkflowForm key={workflow.reference} workflow={workflow} done={stop} cancel={stop} />
            </div>
          ) : (
            <>
              {workflow.description !== '' && <Text className="wrap">{workflow.description}</Text>}
              <Grid>
                <Grid.Col span={{ base: 12, lg: 5 }}>
                  <Diagram workflow={workflow} />
                </Grid.Col>
                <Grid.Col span={{ base: 12, lg: 7 }}>
                  <StatesTable workflow={workflow} />
                </Grid.Col>
              </Grid>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
