/** Texts of the admin screens; e2e journeys and tests assert them. */
export const messages = {
  verified: 'User Verified',
  verifyFailed: 'Failed to verify user',
  confirmFailed: 'Failed to update subscription status',
  confirmed: 'Contact Confirmed',
  unconfirmed: 'Contact Set to Pending',
  userChanged: 'User Updated',
  userChangeFailed: 'Failed to update user',
  importConfirmed: 'Import Confirmed',
  importDeclined: 'Import Declined',
  importFailed: 'Failed to decide the import',
  fileTakenDown: 'File Taken Down',
  fileTakeDownFailed: 'Failed to take the file down',
  reportsDismissed: 'Reports Dismissed',
  reportsDismissFailed: 'Failed to dismiss the reports',
  noReportedFiles: 'No file was reported',
  filesUnscanned: 'Uploaded files are not scanned',
  suppressed: 'Address Suppressed',
  suppressFailed: 'Failed to suppress the address',
  lifted: 'Suppression Lifted',
  liftFailed: 'Failed to lift the suppression',
  providerAdded: 'Mail Account Added',
  providerAddFailed: 'Failed to add the mail account',
  providerRemoved: 'Mail Account Removed',
  providerRemoveFailed: 'Failed to remove the mail account',
  providerChanged: 'Mail Account Updated',
  providerFailed: 'Failed to update the mail account',
  testSent: 'Test Mail Accepted',
  testRefused: 'Test Mail Refused',
  tryAgain: 'Please try again.',
  loadFailed: 'This could not be loaded.',
  nobodyPending: 'Nobody is waiting for verification',
  noUsers: 'No users found matching your criteria',
  noContacts: 'No contacts found matching your criteria',
  nobodySuppressed: 'No address is suppressed',
  noSuppressions: 'No suppressed addresses found matching your criteria',
  noSends: 'No sends found matching your criteria',
  noSenders: 'Nobody sent in the last 30 days',
  noActivity: 'No activity found matching your criteria',
} as const;

/** The scope of a suppression. */
export const scopes = { owner: 'One sender', network: 'Entire network', all: 'All mail' } as const;

/** The source of a plan. */
export const planSources = {
  manual: 'set by hand',
  subscription: 'paid',
  grace: 'payment overdue',
  referral: 'referral month',
  none: 'no paid plan',
} as const;
