export { ScheduledPersonalData, ScheduledPersonalDataModule } from './personal-data/scheduled-personal-data.js';
export { schedulesEntities } from './scheduled-send.entity.js';
export { SchedulesModule, SchedulesWorkerModule } from './schedules.module.js';
export { type WaitingSend, WaitingSends, WaitingSendsModule } from './personal-data/waiting-sends.js';
