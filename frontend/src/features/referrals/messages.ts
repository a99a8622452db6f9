/** The words of product.md sections 5 and 8 for referrals. */
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
