import { authEntities } from './modules/auth/index.js';
import { billingEntities } from './modules/billing/index.js';
import { bouncesEntities } from './modules/bounces/index.js';
import { contactsEntities } from './modules/contacts/index.js';
import { composingEntities } from './modules/composing/index.js';
import { deliveryEntities } from './modules/delivery/index.js';
import { historyEntities } from './modules/history/index.js';
import { listsEntities } from './modules/lists/index.js';
import { mailAccountsEntities } from './modules/mail-accounts/index.js';
import { notificationsEntities } from './modules/notifications/index.js';
import { referralsEntities } from './modules/referrals/index.js';
import { sendingEntities } from './modules/sending/index.js';
import { schedulesEntities } from './modules/schedules/index.js';
import { SystemMail } from './shared/mail/system-mail/system-mail.entity.js';

/** Entities of all modules. Each table belongs to one module. */
export const entities = [
  SystemMail,
  ...authEntities,
  ...notificationsEntities,
  ...contactsEntities,
  ...listsEntities,
  ...historyEntities,
  ...composingEntities,
  ...mailAccountsEntities,
  ...deliveryEntities,
  ...bouncesEntities,
  ...sendingEntities,
  ...schedulesEntities,
  ...referralsEntities,
  ...billingEntities,
];
