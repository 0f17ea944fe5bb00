import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readPages } from '../../operations/call';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { AddButton } from '../../ui/add-button';
import { type Column, RowLink } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { PagedTable } from '../../ui/paged-table';
import type { Workflow } from './diagram';
import { useWorkflowTexts } from './texts';
import { inPath } from '../../ui/in-path';
import { WorkflowForm } from './workflow-form';

const addressOf = (reference: string) => `/workflows/${inPath(reference)}`;

/** All workflows. The address says whether a new one is being made (`create`). */
export default function Screen() {
  const t = useWorkflowTexts();
  const may = useMay();
  const address = useAddress();
  const mayCreate = may('set itembank/workflows');
  const navigate = useNavigate();
  const pages = useInfiniteQuery(readPages('get itembank/workflows', { limit: 50 }));
  const open = (reference: string) => void navigate({ to: addressOf(reference) });
  const close = () => address.set({ create: undefined });
  const columns: Column<Workflow>[] = [
    {
      key: 'reference',
      title: t('reference'),
      render: ({ reference }) => <RowLink to={addressOf(reference)}>{reference}</RowLink>,
    },
    { key: 'description', title: t('description'), render: ({ description }) => description },
    {
      key: 'states',
      title: t('states'),
      width: 130,
      render: ({ workflow_states: states }) => t('states_n', numberOf(states.length)),
    },
  ];
  return (
    <Page
      title={t('title')}
      actions={mayCreate && <AddButton onClick={() => address.set({ create: 'yes' })}>{t('create')}</AddButton>}
    >
      <PagedTable
        label={t('list')}
        columns={columns}
        query={pages}
        keyOf={({ reference }) => reference}
        open={({ reference }) => open(reference)}
        none={t('none')}
        help={t('none_help')}
      />
      <Dialog title={t('create')} isOpen={mayCreate && address.get('create') !== ''} close={close} size="xl">
        <WorkflowForm cancel={close} done={open} />
      </Dialog>
    </Page>
  );
}
