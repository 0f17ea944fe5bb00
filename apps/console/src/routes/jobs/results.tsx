import { Anchor, Code, Stack, Table, Text } from '@mantine/core';
import { sizeOf } from '../../texts/texts';
import { partsOf, type ResultFile } from './jobs';
import { useJobTexts } from './texts';

/** The results of a job: its files to download, and the rest as JSON. */
export function Results({ results }: { results: unknown }) {
  const t = useJobTexts();
  const { files, others } = partsOf(results);
  if (files.length === 0 && others === null) return <Text>{t('nothing')}</Text>;
  return (
    <Stack>
      {files.length > 0 && <Files files={files} />}
      {others !== null && (
        <Code block tabIndex={0} mah={400} style={{ overflow: 'auto' }}>
          {JSON.stringify(others, null, 2)}
        </Code>
      )}
    </Stack>
  );
}

const isPage = ({ content_type: type }: ResultFile) => type.startsWith('text/html');

const nameOf = ({ name, address }: ResultFile): string =>
  name ?? decodeURIComponent(new URL(address, location.origin).pathname.split('/').at(-1) ?? '');

/** The files of a job, to download or to open. */
export function Files({ files }: { files: readonly ResultFile[] }) {
  const t = useJobTexts();
  return (
    <Stack gap={4}>
      <Table aria-label={t('files')}>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.address}>
              <Table.Td className="wrap">
                {isPage(file) ? (
                  <Anchor
                    href={file.address}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={`${t('open')}: ${nameOf(file)}`}
                  >
                    {nameOf(file)}
                  </Anchor>
                ) : (
                  <Anchor href={file.address} download aria-label={`${t('download')}: ${nameOf(file)}`}>
                    {nameOf(file)}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td ta="right">{sizeOf(file.bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        {t('expires')}
      </Text>
    </Stack>
  );
}
