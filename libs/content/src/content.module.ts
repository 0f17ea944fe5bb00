import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { JobsModule } from '#jobs';
import { TaggingModule } from '#tagging';
import { WorkflowsModule } from '#workflows';
import { Activities } from './application/activities';
import { ActivityDuplication } from './application/activity-duplication';
import { Assets } from './application/assets';
import { Duplication } from './application/duplication';
import { History } from './application/history';
import { ItemSearch } from './application/item-search';
import { Items } from './application/items';
import { OfflinePackages } from './application/offline-packages';
import { PackageParts } from './application/package-parts';
import { AssetStore } from './application/ports/asset-store';
import { FacetReader } from './application/ports/facet-reader';
import { HistoryReader } from './application/ports/history-reader';
import { PinnedContent } from './application/ports/pinned-content';
import { GenerationReader } from './application/ports/generation-reader';
import { PoolContent } from './application/ports/pool-content';
import { PoolPicks } from './application/ports/pool-picks';
import { RecordStore } from './application/ports/record-store';
import { SearchIndex } from './application/ports/search-index';
import { ShelfReader } from './application/ports/shelf-reader';
import { TemplateStore } from './application/ports/template-store';
import { Publishing } from './application/publishing';
import { Restoration } from './application/restoration';
import { Retagging } from './application/retagging';
import { SearchFilling } from './application/search-filling';
import { TagRenaming } from './application/tag-renaming';
import { Templates } from './application/templates';
import { Widgets } from './application/widgets';
import { ContentUsesModule } from './content-uses.module';
import { ContentChecks } from './infrastructure/content-checks';
import { PoolContentChecks } from './infrastructure/pool-content-checks';
import { SearchChecks } from './infrastructure/search-checks';
import { SqlAssetStore } from './infrastructure/sql-asset-store';
import { SqlFacetReader } from './infrastructure/sql-facet-reader';
import { SqlHistoryReader } from './infrastructure/sql-history-reader';
import { SqlPinnedContent } from './infrastructure/sql-pinned-content';
import { SqlGenerationReader } from './infrastructure/sql-generation-reader';
import { SqlPoolContent } from './infrastructure/sql-pool-content';
import { SqlPoolPicks } from './infrastructure/sql-pool-picks';
import { SqlRecordStore } from './infrastructure/sql-record-store';
import { SqlSearchIndex } from './infrastructure/sql-search-index';
import { SqlShelfReader } from './infrastructure/sql-shelf-reader';
import { SqlTemplateStore } from './infrastructure/sql-template-store';

@Module({
  imports: [AccessModule, ContentUsesModule, JobsModule, TaggingModule, WorkflowsModule],
  providers: [
    Activities,
    ActivityDuplication,
    Assets,
    ContentChecks,
    Duplication,
    History,
    ItemSearch,
    Items,
    OfflinePackages,
    PackageParts,
    PoolContentChecks,
    Publishing,
    Restoration,
    Retagging,
    SearchChecks,
    SearchFilling,
    TagRenaming,
    Templates,
    Widgets,
    { provide: AssetStore, useClass: SqlAssetStore },
    { provide: FacetReader, useClass: SqlFacetReader },
    { provide: GenerationReader, useClass: SqlGenerationReader },
    { provide: HistoryReader, useClass: SqlHistoryReader },
    { provide: PinnedContent, useClass: SqlPinnedContent },
    { provide: PoolContent, useClass: SqlPoolContent },
    { provide: PoolPicks, useClass: SqlPoolPicks },
    { provide: RecordStore, useClass: SqlRecordStore },
    { provide: SearchIndex, useClass: SqlSearchIndex },
    { provide: ShelfReader, useClass: SqlShelfReader },
    { provide: TemplateStore, useClass: SqlTemplateStore },
  ],
  exports: [
    Activities,
    ActivityDuplication,
    Assets,
    Duplication,
    GenerationReader,
    History,
    ItemSearch,
    Items,
    OfflinePackages,
    PackageParts,
    PinnedContent,
    PoolContent,
    PoolPicks,
    Publishing,
    Restoration,
    SearchFilling,
    ShelfReader,
    TagRenaming,
    Templates,
    Widgets,
  ],
})
export class ContentModule {}
