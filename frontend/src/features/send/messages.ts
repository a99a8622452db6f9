/** The words of product.md sections 2 and 8 for the wizard. */
export const messages = {
  sent: 'Email Sent Successfully!',
  failed: 'Send Failed',
  failedText: 'Failed to send email',
  listsFailed: 'Your lists could not be loaded.',
  againFailed: 'That send could not be loaded.',
  previewFailed: 'The number of recipients could not be counted.',
} as const;

export const stepNames = ['Audience', 'Subject', 'Content', 'Preview'] as const;
