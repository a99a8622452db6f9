export { BillingModule, BillingWorkerModule } from './billing.module.js';
export { billingEntities } from './entities/index.js';
