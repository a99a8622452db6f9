export { billingEntities } from './entities/index.js';
