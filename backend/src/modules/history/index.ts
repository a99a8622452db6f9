export { HistoryEntry } from './entities/history-entry.entity.js';
export { historyEntities } from './entities/index.js';
