import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { JobsModule } from '#jobs';
import { PoolsModule } from '#pools';
import { TaggingModule } from '#tagging';
import { WorkflowsModule } from '#workflows';
import { BankReader } from './application/bank-reader';
import { BankWriter } from './application/bank-writer';
import { Exporting } from './application/exporting';
import { Exports } from './application/exports';
import { ImportApplication } from './application/import-application';
import { ImportAssets } from './application/import-assets';
import { ImportPlanning } from './application/import-planning';
import { ImportReversal } from './application/import-reversal';
import { Importing } from './application/importing';
import { Imports } from './application/imports';
import { OldImports } from './application/old-imports';
import { ImportStore } from './application/ports/import-store';
import { Originals } from './application/originals';
import { RecordedImports } from './application/recorded-imports';
import { SetupReader } from './application/setup-reader';
import { SetupWriter } from './application/setup-writer';
import { Uploads } from './application/uploads';
import { ImportChecks } from './infrastructure/import-checks';
import { SqlImportStore } from './infrastructure/sql-import-store';

@Module({
  imports: [AccessModule, ContentModule, JobsModule, PoolsModule, TaggingModule, WorkflowsModule],
  providers: [
    BankReader,
    BankWriter,
    Exporting,
    Exports,
    ImportApplication,
    ImportAssets,
    ImportChecks,
    ImportPlanning,
    ImportReversal,
    Importing,
    Imports,
    OldImports,
    Originals,
    RecordedImports,
    SetupReader,
    SetupWriter,
    Uploads,
    { provide: ImportStore, useClass: SqlImportStore },
  ],
  exports: [Exporting, Exports, ImportAssets, Importing, Imports, RecordedImports],
})
export class InterchangeModule {}
