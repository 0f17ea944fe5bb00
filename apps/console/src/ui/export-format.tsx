import { Select } from '@mantine/core';
import type { Input } from '../operations/call';
import { texts } from '../texts/texts';

export type Format = NonNullable<Input<'set itembank/exports'>['format']>;

const useFormatTexts = texts({
  en: {
    ndjson: 'Itembank (NDJSON)',
    ndjson_help: 'complete, can be imported again',
    qti: 'QTI 3.0',
    qti_help: 'for other systems; the export names what QTI cannot hold',
    'qti-2.2': 'QTI 2.2',
    'qti-2.2_help': 'for systems that cannot read QTI 3.0',
    'moodle-xml': 'Moodle XML',
    'moodle-xml_help': 'for question banks of Moodle',
    csv: 'CSV sheet',
    csv_help: 'for spreadsheets; leaves out what a table cannot hold',
  },
  de: {
    ndjson: 'Itembank (NDJSON)',
    ndjson_help: 'vollständig, kann wieder importiert werden',
    qti: 'QTI 3.0',
    qti_help: 'für andere Systeme; der Export nennt, was QTI nicht fasst',
    'qti-2.2': 'QTI 2.2',
    'qti-2.2_help': 'für Systeme, die QTI 3.0 nicht lesen',
    'moodle-xml': 'Moodle-XML',
    'moodle-xml_help': 'für Fragensammlungen von Moodle',
    csv: 'CSV-Tabelle',
    csv_help: 'für Tabellenprogramme; ohne das, was eine Tabelle nicht fasst',
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
  const t = useFormatTexts();
  return (
    <Select
      label={t('format')}
      data={FORMATS.map((format) => ({ value: format, label: `${t(format)}: ${t(`${format}_help`)}` }))}
      value={value}
      allowDeselect={false}
      onChange={(format) => change(FORMATS.find((each) => each === format) ?? value)}
      {...others}
    />
  );
}

/** The name of the format of an export. The page does not know formats of later releases, and shows their codes. */
export function useFormatName(): (format: string | undefined) => string {
  const t = useFormatTexts();
  return (format) => {
    const known = FORMATS.find((each) => each === format);
    return known ? t(known) : (format ?? '–');
  };
}
