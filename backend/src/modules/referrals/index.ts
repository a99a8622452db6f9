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
export { InviteePersonalData, InviteePersonalDataModule } from './invitee-personal-data.js';
export { type ClawBack, type FirstPayment, ReferralCredits, type Signup } from './referral-credits.service.js';
export { ReferralsModule, ReferralsWorkerModule } from './referrals.module.js';
