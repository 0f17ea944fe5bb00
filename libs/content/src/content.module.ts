import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { TaggingModule } from '#tagging';
import { Activities } from './application/activities';
import { History } from './application/history';
import { Items } from './application/items';
import { HistoryReader } from './application/ports/history-reader';
import { RecordStore } from './application/ports/record-store';
import { ShelfReader } from './application/ports/shelf-reader';
import { Retagging } from './application/retagging';
import { Widgets } from './application/widgets';
import { SqlHistoryReader } from './infrastructure/sql-history-reader';
import { SqlRecordStore } from './infrastructure/sql-record-store';
import { SqlShelfReader } from './infrastructure/sql-shelf-reader';

@Module({
  imports: [AccessModule, TaggingModule],
  providers: [
    Activities,
    History,
    Items,
    Retagging,
    Widgets,
    { provide: HistoryReader, useClass: SqlHistoryReader },
    { provide: RecordStore, useClass: SqlRecordStore },
    { provide: ShelfReader, useClass: SqlShelfReader },
  ],
  exports: [Activities, History, Items, Widgets],
})
export class ContentModule {}
