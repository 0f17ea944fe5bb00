import { Checkbox, Fieldset, Radio, Stack, Table } from '@mantine/core';
import { Alternatives } from './alternatives';
import { type FormProps, isOn, listOf, reordered, rightValueOf, withAnswers, withPlaces, withRightValue } from './data';
import { Feedback, Scoring, StimulusField } from './fields';
import { Scrolled } from '../../../ui/scrolled';
import { TextList } from './text-list';
import { useFormTexts } from './texts';

/** A matrix: each row is answered by one or several columns. */
export function ChoicematrixForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const rows = listOf<string>(data.stems);
  const columns = listOf<string>(data.options);
  const isMultiple = isOn(data.multiple_responses);
  const cellsOf = (answer: unknown[]) => cellsIn(rows, answer);

  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <TextList
        legend={t('rows')}
        nameOf={(number) => t('row', number)}
        add={t('add_row')}
        list={rows}
        change={(stems, order) =>
          change(
            withPlaces({ ...withAnswers(data, cellsOf), stems }, (each, fresh) => reordered(each, order, fresh), []),
          )
        }
      />
      <TextList
        legend={t('column_options')}
        nameOf={(number) => t('option', number)}
        add={t('add_option')}
        list={columns}
        min={2}
        change={(options, order) =>
          change(
            withAnswers({ ...data, options }, (answer) =>
              cellsOf(answer).map((chosen) => order.flatMap((from, at) => (chosen.includes(from) ? [at] : []))),
            ),
          )
        }
      />
      <Checkbox
        label={t('several')}
        checked={isMultiple}
        onChange={(event) => {
          const several = event.currentTarget.checked;
          const next = (answer: unknown[]) => cellsOf(answer).map((chosen) => (several ? chosen : chosen.slice(0, 1)));
          change(withAnswers({ ...data, multiple_responses: several }, next));
        }}
      />
      <Fieldset legend={t('is_right')}>
        <Cells
          rows={rows}
          columns={columns}
          isMultiple={isMultiple}
          value={rightValueOf(data)}
          change={(cells) => change(withRightValue(data, cells))}
        />
      </Fieldset>
      <Alternatives data={data} change={change} fresh={[]}>
        {(value, set) => <Cells rows={rows} columns={columns} isMultiple={isMultiple} value={value} change={set} />}
      </Alternatives>
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

/** The columns of each row in an accepted answer, which has a column or a list of columns for each row. */
const cellsIn = (rows: readonly string[], answer: unknown[]): number[][] =>
  rows.map((_, index) => [answer[index] ?? []].flat().map(Number));

interface CellsProps {
  rows: readonly string[];
  columns: readonly string[];
  isMultiple: boolean;
  /** An accepted answer. */
  value: unknown;
  change: (cells: number[][]) => void;
}

function Cells({ rows, columns, isMultiple, value, change }: CellsProps) {
  const t = useFormTexts();
  const cells = cellsIn(rows, listOf(value));
  const Choice = isMultiple ? Checkbox : Radio;

  function setCell(row: number, column: number, isRight: boolean) {
    const next = cells.map((chosen, index) => {
      if (index !== row) return chosen;
      if (!isMultiple) return [column];
      return columns.flatMap((_, at) => ((at === column ? isRight : chosen.includes(at)) ? [at] : []));
    });
    change(next);
  }

  return (
    <Scrolled label={t('is_right')} heads={['', ...columns]}>
      {rows.map((row, rowIndex) => (
        <Table.Tr key={rowIndex}>
          <Table.Th scope="row">{row}</Table.Th>
          {columns.map((column, index) => (
            <Table.Td key={index}>
              <Choice
                aria-label={`${row}: ${column}`}
                checked={cells[rowIndex]!.includes(index)}
                onChange={(event) => setCell(rowIndex, index, event.currentTarget.checked)}
              />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Scrolled>
  );
}
