import { Module } from '@nestjs/common';
import { ContentModule } from '#content';
import { BankReader } from './application/bank-reader';
import { BankWriter } from './application/bank-writer';
import { Exporting } from './application/exporting';
import { ImportAssets } from './application/import-assets';
import { Importing } from './application/importing';

@Module({
  imports: [ContentModule],
  providers: [BankReader, BankWriter, Exporting, ImportAssets, Importing],
  exports: [Exporting, Importing],
})
export class InterchangeModule {}
