export { type Entry, type ImportRecord } from './formats/entry';
export { type Format } from './formats/format';
export { FORMATS } from './formats';
export { type Note, shownNote } from './formats/note';
export { type Source, Unreadable } from './formats/source';
