export { EmailList } from './entities/email-list.entity.js';
export { listsEntities } from './entities/index.js';
