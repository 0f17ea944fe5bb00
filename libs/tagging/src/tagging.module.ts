import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { HierarchyStore } from './application/ports/hierarchy-store';
import { TagStore } from './application/ports/tag-store';
import { TagHierarchies } from './application/tag-hierarchies';
import { TagRenames } from './application/tag-renames';
import { Tags } from './application/tags';
import { SqlHierarchyStore } from './infrastructure/sql-hierarchy-store';
import { SqlTagSetIds } from './infrastructure/sql-tag-set-ids';
import { SqlTagSets } from './infrastructure/sql-tag-sets';
import { SqlTagStore } from './infrastructure/sql-tag-store';
import { TagSetChecks } from './infrastructure/tag-set-checks';

@Module({
  imports: [AccessModule],
  providers: [
    TagHierarchies,
    TagRenames,
    Tags,
    SqlTagSetIds,
    SqlTagSets,
    TagSetChecks,
    { provide: HierarchyStore, useClass: SqlHierarchyStore },
    { provide: TagStore, useClass: SqlTagStore },
  ],
  exports: [TagHierarchies, TagRenames, Tags, SqlTagSetIds, SqlTagSets],
})
export class TaggingModule {}
