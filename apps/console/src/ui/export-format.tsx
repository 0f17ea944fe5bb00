import { Select } from '@mantine/core';
import type { Input } from '../operations/call';
import { texts } from '../texts/texts';

export type Format = NonNullable<Input<'set itembank/exports'>['format']>;

const useTexts = texts({
  en: {
    ndjson: 'Itembank (NDJSON): complete, can be imported again',
    qti: 'QTI 3.0: for other systems; the export names what QTI cannot hold',
    'qti-2.2': 'QTI 2.2: for systems that cannot read QTI 3.0',
    'moodle-xml': 'Moodle XML: for question banks of Moodle',
    csv: 'CSV sheet: for spreadsheets; leaves out what a table cannot hold',
  },
  de: {
    ndjson: 'Itembank (NDJSON): vollständig, kann wieder importiert werden',
    qti: 'QTI 3.0: für andere Systeme; der Export nennt, was QTI nicht fasst',
    'qti-2.2': 'QTI 2.2: für Systeme, die QTI 3.0 nicht lesen',
    'moodle-xml': 'Moodle-XML: für Fragensammlungen von Moodle',
    csv: 'CSV-Tabelle: für Tabellenprogramme; ohne das, was eine Tabelle nicht fasst',
  },
});

const FORMATS = Object.keys({
  ndjson: true,
  qti: true,
  'qti-2.2': true,
  'moodle-xml': true,
  csv: true,
} satisfies Record<Format, true>) as Format[];

interface ExportFormatProps {
  value: Format;
  change: (format: Format) => void;
  'data-autofocus'?: boolean;
}

/** Chooses the format of an export. */
export function ExportFormat({ value, change, ...others }: ExportFormatProps) {
  const t = useTexts();
  return (
    <Select
      label={t('format')}
      data={FORMATS.map((format) => ({ value: format, label: t(format) }))}
      value={value}
      allowDeselect={false}
      onChange={(format) => change(FORMATS.find((each) => each === format) ?? value)}
      {...others}
    />
  );
}
