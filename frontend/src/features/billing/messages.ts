/** Texts of the paid plan; e2e journeys and tests assert them. */
export const messages = {
  authenticationRequired: 'Authentication Required',
  notConfigured: 'Billing is not configured',
  alreadySubscribed: 'Already subscribed',
  alreadySubscribedText: 'You are on Pro. You can manage your plan here.',
  createFailed: 'Failed to create subscription',
  plansFailed: 'The plans could not be loaded.',
  noPrice: 'The payment provider does not answer. Please try again.',
  paymentFailed: 'Payment failed',
  unexpected: 'An unexpected error occurred',
  formFailed:
    'The card form could not be loaded. Check your connection, and that nothing in your browser blocks js.stripe.com.',
  nothingOpen: 'There is no open invoice to pay at the moment. Your invoices are in the billing portal.',
  openInvoice:
    'Your last payment failed. What you pay here is its open invoice: your plan and its period stay as they are.',
  statusFailed: 'Your plan could not be loaded.',
  proActive: 'You are on Pro',
  proActiveText: 'Your Pro plan is active.',
  canceled: 'Subscription Canceled',
  cancelFailed: 'Cancellation Failed',
  reactivated: 'Subscription Reactivated',
  reactivateFailed: 'Reactivation Failed',
  tryAgain: 'Please try again.',
  error: 'Error',
  portalFailed: 'Failed to open billing portal. Please try again.',
} as const;
