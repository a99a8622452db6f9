/** Texts of a list's contacts; e2e journeys and tests assert them. */
export const messages = {
  addFailed: 'Failed to Add Contact',
  addManyFailed: 'Failed to Add Contacts',
  fallback: 'An error occurred',
  added: 'Contact Added!',
  updated: 'Contact Updated!',
  updateFailed: 'Failed to Update Contact',
  removed: 'Contact Removed',
  removeFailed: 'Failed to Remove Contact',
  restored: 'Contact Restored!',
  restoreFailed: 'Contact Not Restored',
  resent: 'Confirmation email sent',
  resendFailed: 'Confirmation email not sent',
  noMatch: 'No contacts found matching your search',
  empty: 'This list is empty',
  copyFailed: 'The browser did not let us copy. This is the link:',
  loadFailed: 'The contacts could not be loaded.',
  figuresFailed: 'The figures of this list could not be loaded.',
  listGone: 'This list could not be loaded.',
} as const;

/** Why a line was not imported. */
export const rejections: Record<string, string> = {
  invalid: 'Not an email address',
  duplicate: 'Twice in this import',
  exists: 'Already on the list',
  suppressed: 'Unsubscribed or bounced before',
  limit: 'Over the limit of your plan',
};
