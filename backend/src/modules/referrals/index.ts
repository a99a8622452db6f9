export { ReferralInvite } from './entities/referral-invite.entity.js';
export { referralsEntities } from './entities/index.js';
