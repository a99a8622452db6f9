/** The texts of the wizard. */
export const messages = {
  sent: 'Email Sent Successfully!',
  failed: 'Send Failed',
  failedText: 'Failed to send email',
  scheduled: 'Email Scheduled!',
  scheduleFailed: 'Scheduling Failed',
  scheduleFailedText: 'Failed to schedule email',
  scheduledFailed: 'This scheduled email could not be loaded.',
  listsFailed: 'Your lists could not be loaded.',
  segmentsFailed: 'Your segments could not be loaded.',
  checkFailed: 'The check could not be made.',
  isHttps: 'The links are https now.',
  previewFailed: 'The number of recipients could not be counted.',
  countedAtSending: 'The exact number, and who is left out, are worked out when the email is sent.',
  sheetFailed: 'The preview could not be made.',
  listGone: 'A list that you had chosen is no longer there, and this draft goes on without it.',
  draftFailed: 'This draft could not be loaded.',
  restored: 'Draft restored.',
  changedElsewhere: 'This draft was changed in another window. You see it as it is now.',
  openElsewhere: 'This draft is open in another window.',
  deletedElsewhere: 'This draft was deleted elsewhere. What you see here is not saved.',
  notSaved: 'Not saved. Your text is kept on this device; we keep trying.',
  conflict: 'This draft was changed elsewhere',
  addressFailed: 'Address not saved',
  conflictStatus: 'Not saved: choose a version',
} as const;

export const stepNames = ['Audience', 'Subject', 'Content', 'Preview'] as const;
