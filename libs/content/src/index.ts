export { Activities, type ActivityQuery } from './application/activities';
export { ActivityDuplication } from './application/activity-duplication';
export { Assets } from './application/assets';
export { Duplication } from './application/duplication';
export { History } from './application/history';
export { type Counted, type FoundItem, ItemSearch } from './application/item-search';
export { type ItemQuery, Items } from './application/items';
export { OfflinePackages } from './application/offline-packages';
export {
  PinnedContent,
  type PinnedItem,
  type PinnedQuestion,
  type PinnedRecord,
  type RecordPast,
} from './application/ports/pinned-content';
export {
  type Difference,
  type GenerationRange,
  GenerationReader,
  type PooledEntry,
} from './application/ports/generation-reader';
export { type Part, PoolContent, type Stage } from './application/ports/pool-content';
export { type Picked, PoolPicks, type Skipped } from './application/ports/pool-picks';
export { ShelfReader } from './application/ports/shelf-reader';
export { FACETS } from './application/ports/facet-reader';
export { type Revision, type RevisionFacts } from './application/ports/history-reader';
export { Publishing } from './application/publishing';
export { type QuestionFindings } from './application/question-lint';
export { Restoration, type Restored } from './application/restoration';
export { type Retag } from './application/retagging';
export { MEDIA, type RecordQuery } from './application/ports/shelf-reader';
export { SearchFilling } from './application/search-filling';
export { TagRenaming } from './application/tag-renaming';
export { Templates } from './application/templates';
export { Widgets } from './application/widgets';
export { ContentModule } from './content.module';
export { checkMediaType, checkSubkey, MEDIA_TYPE_LENGTH, SUBKEY_LENGTH } from './domain/asset-key';
export { SCORING_TYPES } from './domain/item';
export { itemsIn, type NamedItem, portableData, renamedData, shownBody } from './domain/activity';
export { contentOf, widgetsIn } from './domain/item-content';
export { type FormerDocument, formerItem, formerQuestion, isFormer } from './domain/former';
export { type Family, type Kind, NO_ADAPTIVE, STATUSES, type StoredRecord, type WidgetKind } from './domain/record';
export { type Removed, sanitiseItem, sanitiseWidgetData } from './domain/sanitise';
export { type BaseTemplate, type PlayerTemplate, TEMPLATE_STATUSES } from './domain/template';
export { type Warning } from './domain/warning';
export { fromRevisions, joinedPoolTags, joinedRecord, joinedRevisions, lastWrites } from './infrastructure/record-sql';
export { type Effect, type PlannedNames } from './application/writing';
export { PackageParts, type PackagePart, type PackedFile, type PackedRecords } from './application/package-parts';
