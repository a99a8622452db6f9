export {
  accessUntil, asCredited, asScheduled, balanceKey, chained, consumedBy, type CreditMonth, monthsOpen, unexpired,
} from './credit-months.js';
export { type CreditState } from './entities/referral-credit.entity.js';
export { ReferralInvite } from './entities/referral-invite.entity.js';
export { referralsEntities } from './entities/index.js';
export { type ClawBack, type EarnedOrNot, type FirstPayment, ReferralCredits, type Signup, type TakenBack } from './referral-credits.service.js';
export { ReferralsModule, ReferralsWorkerModule } from './referrals.module.js';
export { InviteeRecords, InviteeRecordsModule } from './invitee-records.js';
