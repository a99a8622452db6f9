import { DailyUsage, MailboxUsage } from './daily-usage.entity.js';
import { DeliveryTally } from './delivery-tally.entity.js';
import { HistoryEntry, HistoryList } from './history-entry.entity.js';

export const historyEntities = [HistoryEntry, HistoryList, DailyUsage, MailboxUsage, DeliveryTally];
