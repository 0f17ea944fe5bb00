import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { TagStore } from './application/ports/tag-store';
import { Tags } from './application/tags';
import { SqlTagStore } from './infrastructure/sql-tag-store';

@Module({
  imports: [AccessModule],
  providers: [Tags, { provide: TagStore, useClass: SqlTagStore }],
  exports: [Tags],
})
export class TaggingModule {}
