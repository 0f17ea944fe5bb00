export { Activities, type ActivityInput, type ActivityQuery } from './application/activities';
export { History } from './application/history';
export { type ItemInput, type ItemQuery, Items } from './application/items';
export { type Revision } from './application/ports/history-reader';
export { type RecordQuery } from './application/ports/shelf-reader';
export { type WidgetInput, type WidgetKind, Widgets } from './application/widgets';
export { ContentModule } from './content.module';
export { SCORING_TYPES } from './domain/item';
export { type Family, type Status, STATUSES, type StoredRecord } from './domain/record';
