export { HistoryItemDto, HistoryListDto } from './dto/history.dto.js';
export { HistoryEntry } from './entities/history-entry.entity.js';
export { historyEntities } from './entities/index.js';
export { HistoryBook, type Entry, type NewEntry } from './history-book.service.js';
export { HistoryModule, HistoryWorkerModule } from './history.module.js';
export { OverseenSendDto, OverseenSendQuery, SendsTodayDto } from './dto/overview.dto.js';
export { SendsOverview } from './sends-overview.service.js';
export { type SendTally, type SendTotals, SendTotalsReader } from './send-totals.service.js';
export { UsageLedger } from './usage-ledger.service.js';
