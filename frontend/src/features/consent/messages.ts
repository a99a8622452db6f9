/** The words of product.md sections 2, 5 and 8 for confirming and leaving. */
export const messages = {
  noConfirmationToken: 'No confirmation token provided',
  confirmFailed: 'Confirmation Failed',
  confirmFailedText: 'Failed to confirm subscription',
  confirmUnreachable: 'Failed to confirm subscription. Please try again.',
  confirmed: 'Subscription Confirmed!',
  unsubscribeInvalid: 'Invalid unsubscribe link',
  unsubscribeFailed: 'Failed to unsubscribe',
  unsubscribeUnreachable: 'An error occurred while unsubscribing',
  sendersFailed: 'Your senders could not be loaded.',
  removed: 'has been removed from our mailing list',
  back: 'Welcome back',
  returned: 'gets mail from this sender again',
  neverAskTitle: 'Never be asked again?',
  neverAsked: 'Done',
  neverAskFailed: 'Not changed',
  tryAgain: 'Please try again.',
} as const;
