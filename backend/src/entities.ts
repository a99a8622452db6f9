import { authEntities } from './modules/auth/index.js';
import { billingEntities } from './modules/billing/index.js';
import { historyEntities } from './modules/history/index.js';
import { listsEntities } from './modules/lists/index.js';
import { referralsEntities } from './modules/referrals/index.js';
import { sendingEntities } from './modules/sending/index.js';
import { SystemMail } from './shared/mail/system-mail.entity.js';

/** Every table, for the ORM; each stands in the module that owns it. */
export const entities = [
  SystemMail, ...authEntities, ...listsEntities, ...historyEntities, ...sendingEntities, ...referralsEntities, ...billingEntities,
];
