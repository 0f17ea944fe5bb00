import { Module } from '@nestjs/common';
import { ContentModule } from '#content';
import { BankWriter } from './application/bank-writer';
import { ImportAssets } from './application/import-assets';
import { Importing } from './application/importing';

@Module({
  imports: [ContentModule],
  providers: [BankWriter, ImportAssets, Importing],
  exports: [Importing],
})
export class InterchangeModule {}
