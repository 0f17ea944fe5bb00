import { AIKEN_IN } from './aiken';
import { CANVAS_IN } from './canvas/item';
import { CSV_IN, CSV_OUT } from './csv';
import { GIFT_IN } from './gift';
import { type Levels } from './levels';
import { MOODLE_IN, MOODLE_OUT } from './moodle';
import { QTI_IN, QTI_OUT } from './qti';

/**
 * The kinds of questions that we read from each format, and our types that we write in it. Other types are not written.
 * NDJSON holds everything, so it is not listed.
 */
export const COVERAGE: readonly { format: string; read: Levels; written?: Levels }[] = [
  { format: 'qti', read: QTI_IN, written: QTI_OUT },
  { format: 'moodle-xml', read: MOODLE_IN, written: MOODLE_OUT },
  { format: 'qti-1.2', read: CANVAS_IN },
  { format: 'gift', read: GIFT_IN },
  { format: 'csv', read: CSV_IN, written: CSV_OUT },
  { format: 'aiken', read: AIKEN_IN },
];
