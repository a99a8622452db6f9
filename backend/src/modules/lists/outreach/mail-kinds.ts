/** Kinds of mail to strangers in the outbox of system mail. */
export const OPT_IN_MAIL = 'lists.opt-in';
export const INVITE_MAIL = 'referrals.invite';
