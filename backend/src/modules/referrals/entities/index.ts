import { ReferralConversion } from './referral-conversion.entity.js';
import { ReferralCredit } from './referral-credit.entity.js';
import { ReferralInvite } from './referral-invite.entity.js';

/** The tables this module owns. */
export const referralsEntities = [ReferralInvite, ReferralConversion, ReferralCredit];
