import { DailyUsage } from './daily-usage.entity.js';
import { DeliveryTally } from './delivery-tally.entity.js';
import { HistoryEntry } from './history-entry.entity.js';
import { HistoryList } from './history-list.entity.js';
import { MailboxUsage } from './mailbox-usage.entity.js';

/** The tables this module owns. */
export const historyEntities = [HistoryEntry, HistoryList, DailyUsage, MailboxUsage, DeliveryTally];
