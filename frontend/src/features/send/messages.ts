/** The words of product.md sections 2 and 8 for the wizard. */
export const messages = {
  sent: 'Email Sent Successfully!',
  failed: 'Send Failed',
  failedText: 'Failed to send email',
  listsFailed: 'Your lists could not be loaded.',
  againFailed: 'That send could not be loaded.',
  previewFailed: 'The number of recipients could not be counted.',
  listGone: 'A list that you had chosen is no longer there, and this draft goes on without it.',
  changedElsewhere: 'This draft was changed in another tab. You see it as it is now.',
  goneElsewhere: 'This draft was sent or discarded in another tab.',
  conflict: 'Another tab has changed this draft as well. What you type here is not kept until you choose one.',
} as const;

export const stepNames = ['Audience', 'Subject', 'Content', 'Preview'] as const;
