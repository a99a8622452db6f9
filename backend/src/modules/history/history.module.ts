import { Module } from '@nestjs/common';
import { UsageCounter } from '../../shared/usage/usage-counter.js';
import { AuthModule } from '../auth/index.js';
import { ListsModule } from '../lists/index.js';
import { DashboardController } from './dashboard.controller.js';
import { Dashboard } from './dashboard.service.js';
import { HistoryBook } from './history-book.service.js';
import { HistoryController } from './history.controller.js';
import { HistoryRetention } from './history-retention.js';
import { HistoryExport } from './history-export.service.js';
import { HistorySearch } from './history-search.service.js';
import { RecentSends } from './recent-sends.service.js';
import { SendStops } from './send-stops.service.js';
import { SendTotalsReader } from './send-totals.service.js';
import { SendTrends } from './send-trends.service.js';
import { SendsOverview } from './sends-overview.service.js';
import { TallyCompactor } from './tally-compactor.service.js';
import { UsageController } from './usage.controller.js';
import { UsageLedger } from './usage-ledger.service.js';

/** The record of what was sent, the day's counter, and the dashboard. */
@Module({
  imports: [AuthModule, ListsModule],
  controllers: [HistoryController, UsageController, DashboardController],
  providers: [HistoryBook, HistoryExport, HistoryRetention, HistorySearch, RecentSends, UsageLedger, Dashboard, SendStops, SendTotalsReader, SendTrends, SendsOverview, { provide: UsageCounter, useExisting: UsageLedger }],
  exports: [HistoryBook, RecentSends, SendStops, SendsOverview, SendTotalsReader, UsageLedger, UsageCounter],
})
export class HistoryModule {}

/** The tallies' adding-up. */
@Module({ providers: [TallyCompactor] })
export class HistoryWorkerModule {}
