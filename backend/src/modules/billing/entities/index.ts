import { PlanSubscription } from './plan-subscription.entity.js';
import { Plan } from './plan.entity.js';
import { StripeEvent } from './stripe-event.entity.js';

/** The tables this module owns. */
export const billingEntities = [Plan, PlanSubscription, StripeEvent];
