import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { AccessModule, SecretBox } from '#access';
import { JobRunner, JobsModule } from '#jobs';
import { Clock } from '#kernel';
import { Config } from '#platform';
import { TaggingModule } from '#tagging';
import { WorkflowsModule } from '#workflows';
import { Activities } from './application/activities';
import { ActivityDuplication } from './application/activity-duplication';
import { Assets } from './application/assets';
import { Duplication } from './application/duplication';
import { History } from './application/history';
import { Items } from './application/items';
import { AssetFiles } from './application/ports/asset-files';
import { AssetStore } from './application/ports/asset-store';
import { HistoryReader } from './application/ports/history-reader';
import { RecordStore } from './application/ports/record-store';
import { ShelfReader } from './application/ports/shelf-reader';
import { TemplateStore } from './application/ports/template-store';
import { Restoration } from './application/restoration';
import { Retagging } from './application/retagging';
import { Templates } from './application/templates';
import { Widgets } from './application/widgets';
import { LocalAssetFiles } from './infrastructure/local-asset-files';
import { type S3AssetFiles } from './infrastructure/s3-asset-files';
import { SqlAssetStore } from './infrastructure/sql-asset-store';
import { SqlHistoryReader } from './infrastructure/sql-history-reader';
import { SqlRecordStore } from './infrastructure/sql-record-store';
import { SqlShelfReader } from './infrastructure/sql-shelf-reader';
import { SqlTemplateStore } from './infrastructure/sql-template-store';

/** The files of assets lie where ASSETS_URL says. */
function openAssetFiles(config: Config, box: SecretBox, clock: Clock): AssetFiles {
  if (config.assetsUrl.startsWith('s3:')) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a large library, loaded only where it is used
    const s3 = require('./infrastructure/s3-asset-files') as { S3AssetFiles: typeof S3AssetFiles };
    return new s3.S3AssetFiles(config.assetsUrl, config.assetsPublicUrl, clock);
  }
  const base = () => config.assetsPublicUrl ?? `${config.ownUrl}/assets`;
  return new LocalAssetFiles(config.assetsUrl.slice('file:'.length), base, box.derive('asset uploads'), clock);
}

@Module({
  imports: [AccessModule, JobsModule, TaggingModule, WorkflowsModule],
  providers: [
    Activities,
    ActivityDuplication,
    Assets,
    Duplication,
    History,
    Items,
    Restoration,
    Retagging,
    Templates,
    Widgets,
    { provide: AssetFiles, useFactory: openAssetFiles, inject: [Config, SecretBox, Clock] },
    { provide: AssetStore, useClass: SqlAssetStore },
    {
      provide: LocalAssetFiles,
      useFactory: (files: AssetFiles) => (files instanceof LocalAssetFiles ? files : null),
      inject: [AssetFiles],
    },
    { provide: HistoryReader, useClass: SqlHistoryReader },
    { provide: RecordStore, useClass: SqlRecordStore },
    { provide: ShelfReader, useClass: SqlShelfReader },
    { provide: TemplateStore, useClass: SqlTemplateStore },
  ],
  exports: [
    Activities,
    ActivityDuplication,
    Assets,
    Duplication,
    LocalAssetFiles,
    History,
    Items,
    Restoration,
    Templates,
    Widgets,
  ],
})
export class ContentModule implements OnModuleInit {
  constructor(
    @Inject(JobRunner) private readonly runner: JobRunner,
    @Inject(ActivityDuplication) private readonly activityDuplication: ActivityDuplication,
  ) {}

  onModuleInit(): void {
    this.runner.register(this.activityDuplication);
  }
}
