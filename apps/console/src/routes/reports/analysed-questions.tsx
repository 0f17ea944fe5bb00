import { Anchor, ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWorkplace } from '../../session/session';
import { textOfMarkup } from '../../texts/markup';
import { numberOf } from '../../texts/texts';
import { Loaded } from '../../ui/loaded';
import { useReportTexts } from './texts';
import { inPath } from '../../ui/in-path';
import { Heads } from '../../ui/scrolled';

interface Option {
  /** Blank, stem, row, cell or position, from 1; null when the answer is one set. */
  option_place: number | null;
  option_kind: 'offered' | 'other' | 'none';
  option_value: string | null;
  option_label: string | null;
  is_key: boolean;
  share_lower: number | null;
  share_upper: number | null;
}

interface Question {
  record: string;
  item_organisation_id: number;
  item_reference: string;
  question_reference: string;
  p_value: number | null;
  discrimination_index: number | null;
  /** Null for questions without options, such as essays. */
  options: Option[] | null;
}

/** The largest file that is read into the page. */
const MAX_BYTES = 5_000_000;
/** The largest number of questions shown. The files have all of them. */
const SHOWN = 200;

/** The questions of an analysis, those with the lowest discrimination first. Each links to its item. */
export function AnalysedQuestions({ address, bytes }: { address: string; bytes: number }) {
  const t = useReportTexts();
  const { organisation } = useWorkplace();
  const lines = useQuery({
    queryKey: ['analysed-questions', address],
    enabled: bytes <= MAX_BYTES,
    queryFn: async () => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(t('unreadable'));
      return questionsIn(await response.text());
    },
    staleTime: Infinity,
  });
  if (bytes > MAX_BYTES) return null;
  return (
    <Loaded query={lines}>
      {(questions) => (
        <Stack gap="xs">
          <Title order={3} size="h5">
            {t('questions')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('questions_help')}
          </Text>
          <ScrollArea.Autosize mah={400} viewportProps={{ tabIndex: 0 }}>
            <Table aria-label={t('questions')} miw={560}>
              <Heads
                of={(['item', 'question', 'p_value', 'discrimination', 'suspect'] as const).map((key) => t(key))}
              />
              <Table.Tbody>
                {questions.slice(0, SHOWN).map((question, index) => (
                  <Table.Tr key={index}>
                    <Table.Td className="wrap">
                      {question.item_organisation_id === organisation.id ? (
                        <Anchor
                          component={Link}
                          to={`/items/${inPath(question.item_reference)}`}
                          search={{ tab: 'edit' } as never}
                          size="sm"
                        >
                          {question.item_reference}
                        </Anchor>
                      ) : (
                        question.item_reference
                      )}
                    </Table.Td>
                    <Table.Td className="wrap">{question.question_reference}</Table.Td>
                    <Table.Td>{figure(question.p_value)}</Table.Td>
                    <Table.Td>{figure(question.discrimination_index)}</Table.Td>
                    <Table.Td className="wrap">{suspects(question).map(nameOf).join(', ') || '–'}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        </Stack>
      )}
    </Loaded>
  );
}

function questionsIn(text: string): Question[] {
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Question);
  return records
    .filter(({ record }) => record === 'question')
    .sort((one, other) => (one.discrimination_index ?? Infinity) - (other.discrimination_index ?? Infinity));
}

/** Wrong options that learners in the upper group chose more often than those in the lower one. Without a key, none is wrong. */
function suspects({ options }: Question): Option[] {
  if (!options?.some(({ is_key: isKey }) => isKey)) return [];
  return options.filter(
    ({ option_kind: kind, is_key: isKey, share_lower: lower, share_upper: upper }) =>
      kind === 'offered' && !isKey && lower !== null && upper !== null && upper > lower,
  );
}

/** The label without its markup, or the value when it has no text, such as that of a picture. The place comes first. */
function nameOf({ option_place: place, option_label: label, option_value: value }: Option): string {
  const name = textOfMarkup(label ?? '').trim() || (value ?? '');
  return place === null ? name : `${place}: ${name}`;
}

const figure = (value: number | null) => (value === null ? '–' : numberOf(value, { maximumFractionDigits: 2 }));
