export { ScheduledRecords, ScheduledRecordsModule } from './records/scheduled-records.js';
export { schedulesEntities } from './scheduled-send.entity.js';
export { SchedulesModule, SchedulesWorkerModule } from './schedules.module.js';
export { type WaitingSend, WaitingSends, WaitingSendsModule } from './records/waiting-sends.js';
