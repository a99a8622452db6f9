export { sendingEntities } from './entities/index.js';
