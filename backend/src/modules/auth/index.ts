export { User } from './entities/user.entity.js';
export { authEntities } from './entities/index.js';
