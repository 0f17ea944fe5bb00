export { type Selection } from './application/bank-reader';
export { Exporting } from './application/exporting';
export { Exports } from './application/exports';
export { entriesOf, formatOf } from './application/format-choice';
export { ImportCount } from './application/import-totals';
export {
  COLLISION_RULES,
  type CollisionRule,
  type ImportedEntry,
  type ImportOptions,
  type PlannedEntry,
  type PlanToFollow,
  type Result,
  RESULTS,
  type Written,
} from './application/import-results';
export { ImportAssets, type Placed } from './application/import-assets';
export { Importing } from './application/importing';
export { Imports, type ShownImport } from './application/imports';
export { type DirectImport, RecordedImports } from './application/recorded-imports';
export { planLine, PlanLines } from './application/plan-lines';
export { packageOf, WRITERS } from './application/package-file';
export { authorOf as authorOfImport, SHOWN_STATUSES as SHOWN_IMPORT_STATUSES } from './domain/import';
export { REVERT_IMPORT } from './domain/operation-names';
export { FORMATS } from './formats';
export { COVERAGE } from './formats/coverage';
export { type Level, type Levels } from './formats/levels';
export { type Asset, assetToken, type ContentRecord, type Entry, type ImportRecord } from './formats/entry';
export { type ExportNote, type Format, type PackageFile } from './formats/format';
export { type Note, note, type Severity, severityOf, shownNote } from './formats/note';
export { type Source, Unreadable } from './formats/source';
export { InterchangeModule } from './interchange.module';
export { MAX_FILE_BYTES } from './sources/limits';
export { namelessFile, refuseFolder } from './sources/nameless-file';
export { openSource } from './sources/open-source';
export { Schemas } from './sources/schemas';
