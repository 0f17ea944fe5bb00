import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { Import } from '../../operations/operations';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { useImportTexts } from './texts';
import { useBegin } from './use-begin';
import { inPath } from '../../ui/in-path';

/** Reverts an import, after confirmation. */
export function RevertButton({ found }: { found: Import }) {
  const t = useImportTexts();
  const may = useMay();
  const { revert } = useBegin(found);
  const [isOpen, dialog] = useDisclosure();
  if (!may('set itembank/imports/revert')) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('revert')}
      </Button>
      <Ask
        title={t('revert_title')}
        text={
          found.totals
            ? t('revert_text', numberOf(found.totals.replaced), numberOf(found.totals.created))
            : t('revert_not_ended')
        }
        action={t('revert')}
        isOpen={isOpen}
        close={dialog.close}
        work={revert}
        Refusal={WhyNotReverted}
      />
    </>
  );
}

const RECORD = /(item|question|feature|activity) ("(?:[^"\\]|\\.)*")/g;

/** Explains why an import was not reverted: records that have changed since, or another fault. */
export function WhyNotReverted({ fault }: { fault: unknown }) {
  const t = useImportTexts();
  const message = fault instanceof Error ? fault.message : '';
  const changed = message.includes('changed since the import') ? [...message.matchAll(RECORD)] : [];
  if (changed.length === 0) return <FaultAlert fault={fault} />;
  return (
    <Alert color="red" role="alert" title={t('changed_title')}>
      <Stack gap="xs">
        <List size="sm">
          {changed.map(([whole, kind, quoted]) => (
            <List.Item key={whole} className="wrap">
              {t(`kind_${kind as 'item'}`)} <RecordLink kind={kind!} reference={JSON.parse(quoted!) as string} />
            </List.Item>
          ))}
          {/ and others\.$/.test(message) && <List.Item>{t('changed_more')}</List.Item>}
        </List>
        <Text size="sm">{t('changed_help')}</Text>
      </Stack>
    </Alert>
  );
}

function RecordLink({ kind, reference }: { kind: string; reference: string }) {
  const to = `/history/${kind}/${inPath(reference)}`;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={to} {...props} />}>
      {reference}
    </Anchor>
  );
}
