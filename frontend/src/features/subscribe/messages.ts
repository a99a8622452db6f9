/** The words of product.md section 8 for subscribing in public. */
export const messages = {
  asked: 'Check Your Email!',
  askedText: "We've sent a confirmation link to verify your subscription.",
  already: 'Already Subscribed',
  pending: 'Confirmation Pending',
  failed: 'Subscription Failed',
  failedText: 'Failed to subscribe',
  landingFailedText: 'Failed to subscribe. Please try again.',
  listNotFound: 'List Not Found',
  listFailed: 'This page could not be loaded.',
  next: 'What happens next?',
  pendingTitle: 'Check Your Email',
} as const;
