import { AppError, conflict, invalid } from '../../shared/errors/app-error.js';

export const billingOff = (): AppError => new AppError('billing_off', 503, 'Billing is not configured');
export const stripeDown = (): AppError =>
  new AppError('billing_unavailable', 502, 'The payment provider does not answer. Please try again.');
export const unknownPrice = (): AppError => invalid('priceId', 'This price is not on offer');
export const otherPeriod = (): AppError =>
  invalid('billingPeriod', 'The price and the billing period do not belong together');
export const noPlan = (): AppError => new AppError('no_subscription', 400, 'No active subscription');
export const planEnded = (): AppError =>
  new AppError('subscription_ended', 400, 'This subscription has ended. Please subscribe again.');
export const noCustomer = (): AppError => new AppError('no_customer', 400, 'There is no billing account yet');
export const planPaused = (): AppError => conflict('subscription_paused', 'Resume in the billing portal');
export const badSignature = (): AppError => new AppError('signature_invalid', 400, 'The signature is not valid');

/**
 * Stripe no longer knows the customer or object. If nothing can be repaired, users get the same message as during a
 * Stripe outage.
 */
export class MissingAtStripe extends AppError {
  constructor(message: string) {
    super('billing_unavailable', 502, 'The payment provider does not answer. Please try again.');
    this.cause = message;
  }
}
