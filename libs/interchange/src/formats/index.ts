import { type Format } from './format';
import { ndjson } from './ndjson';
import { qti } from './qti';

/** All formats, in the order in which a source is tried: the most particular first. */
export const FORMATS: readonly Format[] = [ndjson, qti];
