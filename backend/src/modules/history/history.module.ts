import { Module } from '@nestjs/common';
import { UsageCounter } from '../../shared/usage/usage-counter.js';
import { HistoryBook } from './history-book.service.js';
import { HistoryController } from './history.controller.js';
import { HistorySearch } from './history-search.service.js';
import { UsageController } from './usage.controller.js';
import { UsageLedger } from './usage-ledger.service.js';

/** The record of what was sent, and the day's counter. */
@Module({
  controllers: [HistoryController, UsageController],
  providers: [HistoryBook, HistorySearch, UsageLedger, { provide: UsageCounter, useExisting: UsageLedger }],
  exports: [HistoryBook, UsageLedger, UsageCounter],
})
export class HistoryModule {}
