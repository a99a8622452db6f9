/** The words of product.md section 2 for the history. */
export const messages = {
  empty: 'No emails sent yet. Send your first email to get started!',
  noMatch: 'No history found matching your criteria',
  loadFailed: 'The history could not be loaded.',
  entryFailed: 'This send could not be loaded.',
  deliveriesFailed: 'The delivery log could not be loaded.',
  paused: 'Send Paused',
  resumed: 'Send Resumed',
  cancelled: 'Send Cancelled',
  retried: 'Trying Again',
  noneToRetry: 'None of them can be mailed any more.',
  controlFailed: 'That Did Not Work',
  controlFailedText: 'Please try again.',
} as const;
