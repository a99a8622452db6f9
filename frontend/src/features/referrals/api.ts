import type { ReferralInviteDto, ReferralStatsDto } from '../../api/endpoints.gen';

export type Invite = ReferralInviteDto;
export type ReferralStats = ReferralStatsDto;

/** Texts of the referrals; e2e journeys and tests assert them. */
export const messages = {
  emailRequired: 'Email Required',
  emailRequiredText: 'Please enter an email address.',
  inviteFailed: 'Failed to Send Invite',
  tryAgain: 'Please try again.',
  inviteSent: 'Invite Sent!',
  copied: 'Copied!',
  copiedText: 'Your referral link is on the clipboard.',
  noLink: 'Referral link not available',
  copyFailedText: 'Select the link and copy it by hand.',
  statsFailed: 'Your referrals could not be loaded.',
  invitesFailed: 'Your invites could not be loaded.',
} as const;
