export { sendingEntities } from './entities/index.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
export { RecipientRecords, RecipientRecordsModule } from './recipient-records.js';
