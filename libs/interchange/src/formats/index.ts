import { aiken } from './aiken';
import { canvas } from './canvas';
import { csv } from './csv';
import { type Format } from './format';
import { gift } from './gift';
import { moodle } from './moodle';
import { ndjson } from './ndjson';
import { qti, qti22 } from './qti';

/** All formats, in the order in which a source is tried: the most particular first. */
export const FORMATS: readonly Format[] = [ndjson, moodle, qti, qti22, canvas, gift, csv, aiken];
