export {
  accessUntil,
  asCredited,
  asScheduled,
  balanceKey,
  rescheduleOpen,
  consumedBy,
  type CreditMonth,
  unexpired,
} from './credit-months.js';
export { referralsEntities, ReferralInvite } from './referrals.entities.js';
export { InviteeRecords, InviteeRecordsModule } from './invitee-records.js';
export { type ClawBack, type FirstPayment, ReferralCredits, type Signup } from './referral-credits.service.js';
export { ReferralsModule, ReferralsWorkerModule } from './referrals.module.js';
