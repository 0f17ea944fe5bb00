export { type TagDefinition, type TagListing } from './application/ports/tag-store';
export { Tags } from './application/tags';
export { type Tag, type TagName, type TagPattern, type TagQuery } from './domain/tag';
export { tagKey } from './domain/tag-key';
export { SqlTagSets, tagVersionColumn } from './infrastructure/sql-tag-sets';
export { readTagIds, readTagList, tagIdsColumn, tagListColumn, tagOfType } from './infrastructure/tag-sql';
export { TaggingModule } from './tagging.module';
