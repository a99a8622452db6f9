export { BillingModule, BillingWorkerModule } from './billing.module.js';
export { billingEntities } from './billing.entities.js';
