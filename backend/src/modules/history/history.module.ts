import { Module } from '@nestjs/common';
import { UsageCounter } from '../../shared/usage/usage-counter.js';
import { AuthModule } from '../auth/index.js';
import { ListsModule } from '../lists/index.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { Dashboard } from './dashboard/dashboard.service.js';
import { FileWaits } from './file-waits.service.js';
import { HeldPlaces } from './held-places.registry.js';
import { SendActivity } from './send-activity.service.js';
import { SendRecords } from './send-records.service.js';
import { HistoryController, UsageController } from './history.controller.js';
import { HistoryExport } from './history-export.service.js';
import { HistoryRetention } from './history-retention.js';
import { HistorySearch } from './history-search.service.js';
import { Onboarding } from './dashboard/onboarding.service.js';
import { RecentSends } from './dashboard/recent-sends.service.js';
import { SendStates } from './send-states.service.js';
import { SendTotalsReader, TallyCompactor } from './send-totals-reader.service.js';
import { SendTrends } from './dashboard/send-trends.service.js';
import { SendsOverview } from './sends-overview.service.js';
import { UsageLedger } from './usage-ledger.service.js';

/** Records of sends, daily usage and the dashboard. */
@Module({
  imports: [AuthModule, ListsModule],
  controllers: [HistoryController, UsageController, DashboardController],
  providers: [
    FileWaits,
    HeldPlaces,
    SendActivity,
    SendRecords,
    HistoryExport,
    HistoryRetention,
    HistorySearch,
    RecentSends,
    UsageLedger,
    Dashboard,
    Onboarding,
    SendStates,
    SendTotalsReader,
    SendTrends,
    SendsOverview,
    { provide: UsageCounter, useExisting: UsageLedger },
  ],
  exports: [
    FileWaits,
    HeldPlaces,
    SendActivity,
    SendRecords,
    RecentSends,
    SendStates,
    SendsOverview,
    SendTotalsReader,
    UsageLedger,
    UsageCounter,
  ],
})
export class HistoryModule {}

/** Compacts tallies. Worker processes only. */
@Module({ providers: [TallyCompactor] })
export class HistoryWorkerModule {}
