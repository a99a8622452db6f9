export const referrals = 1;
