import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { TagStore } from './application/ports/tag-store';
import { Tags } from './application/tags';
import { SqlTagSets } from './infrastructure/sql-tag-sets';
import { SqlTagStore } from './infrastructure/sql-tag-store';

@Module({
  imports: [AccessModule],
  providers: [Tags, SqlTagSets, { provide: TagStore, useClass: SqlTagStore }],
  exports: [Tags, SqlTagSets],
})
export class TaggingModule {}
