import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { DECLINES, TEST_CARDS, type TestCard } from './cards.ts';
import { settleInvoice } from './invoices.ts';
import { charge, dispute, paymentMethod, refund } from './objects/payments.ts';
import { ApiFault, badRequest, missing, type Wire } from './wire.ts';

type Intent = Wire<Stripe.PaymentIntent>;
type Method = Wire<Stripe.PaymentMethod>;

/** Finds a card by id, or creates one by the name of a test payment method. */
export function methodOf(account: Account, name: string, customer: string | null): Method {
  const card = Object.hasOwn(TEST_CARDS, name) ? TEST_CARDS[name] : undefined;
  if (!card) {
    const known = account.get('payment_methods', name, 'payment_method');
    if (known.customer && known.customer !== customer) throw missing('PaymentMethod', name, 'payment_method');
    return known;
  }
  const made = account.add('payment_methods', paymentMethod(account.nowOf(customer), card));
  account.state.cardOf[made.id] = name;
  return made;
}

export function attach(account: Account, method: Method, customer: string): Method {
  if (!cardOf(account, method).attachable) throw declined('generic_decline');
  return account.change(method, { customer }, 'payment_method.attached');
}

const cardOf = (account: Account, method: Method): TestCard => TEST_CARDS[account.state.cardOf[method.id] ?? '']!;

/** Confirms a payment intent with a card: charges the card, requires 3-D Secure, or declines with 402. */
export function confirmIntent(
  account: Account,
  intent: Intent,
  methodName: string,
  options: { returnUrl: string | null; pagesBase: string },
): Intent {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw badRequest(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    });
  }
  const method = methodOf(account, methodName, intent.customer);
  if (cardOf(account, method).asks) {
    const url = `${options.pagesBase}/3ds/${intent.id}?client_secret=${intent.client_secret}`;
    return account.change(
      intent,
      {
        status: 'requires_action',
        payment_method: method.id,
        last_payment_error: null,
        next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: options.returnUrl, url } },
      },
      'payment_intent.requires_action',
    );
  }
  chargeIntent(account, intent, method);
  return intent;
}

/** Applies the result of 3-D Secure. */
export function answerChallenge(account: Account, intent: Intent, passed: boolean): void {
  if (intent.status !== 'requires_action') return;
  const method = account.get('payment_methods', intent.payment_method ?? '');
  if (passed) return chargeIntent(account, intent, method);
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  account.change(
    intent,
    {
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: {
        code: 'payment_intent_authentication_failure',
        message,
        payment_method: structuredClone(method),
        type: 'invalid_request_error',
      },
    },
    'payment_intent.payment_failed',
  );
}

/**
 * Charges a card at once.
 * @throws 402 with the payment intent if the card is declined
 */
export function chargeIntent(account: Account, intent: Intent, method: Method): void {
  const at = account.nowOf(intent.customer);
  const card = cardOf(account, method);
  const failure = card.decline && {
    code: 'card_declined',
    decline_code: card.decline,
    message: DECLINES[card.decline],
  };
  const made = account.add(
    'charges',
    charge(at, intent, method.id, card, failure),
    failure ? 'charge.failed' : 'charge.succeeded',
  );
  if (failure) {
    account.change(
      intent,
      {
        status: 'requires_payment_method',
        payment_method: null,
        next_action: null,
        latest_charge: made.id,
        last_payment_error: {
          ...failure,
          code: 'card_declined',
          charge: made.id,
          payment_method: structuredClone(method),
          type: 'card_error',
        },
      },
      'payment_intent.payment_failed',
    );
    throw declined(card.decline!, intent);
  }
  if (intent.customer && !method.customer)
    account.change(method, { customer: intent.customer }, 'payment_method.attached');
  account.change(
    intent,
    {
      status: 'succeeded',
      payment_method: method.id,
      next_action: null,
      last_payment_error: null,
      latest_charge: made.id,
      amount_received: intent.amount,
    },
    'payment_intent.succeeded',
  );
  settleInvoice(account, intent);
  if (card.disputes) openDispute(account, made);
}

function declined(code: keyof typeof DECLINES, intent?: Intent): ApiFault {
  return new ApiFault(402, 'card_error', DECLINES[code], {
    code: 'card_declined',
    decline_code: code,
    ...(intent ? { payment_intent: structuredClone(intent) } : {}),
  });
}

export function refundCharge(
  account: Account,
  of: Wire<Stripe.Charge>,
  amount: number | undefined,
  metadata: Record<string, string>,
): Wire<Stripe.Refund> {
  const left = of.amount - of.amount_refunded;
  const wanted = amount ?? left;
  if (left === 0) throw badRequest(`Charge ${of.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (wanted <= 0 || wanted > left)
    throw badRequest(`Refund amount is greater than unrefunded amount on charge`, { param: 'amount' });
  const made = account.add('refunds', refund(account.nowOf(of.customer), of, wanted, metadata), 'refund.created');
  account.change(
    of,
    { amount_refunded: of.amount_refunded + wanted, refunded: of.amount_refunded + wanted === of.amount },
    'charge.refunded',
  );
  return made;
}

export function openDispute(account: Account, of: Wire<Stripe.Charge>): Wire<Stripe.Dispute> {
  account.change(of, { disputed: true });
  return account.add('disputes', dispute(account.nowOf(of.customer), of), 'charge.dispute.created');
}

/**
 * Closes a dispute. As in Stripe's test mode, the evidence `winning_evidence` wins it, and any other evidence loses it.
 */
export function closeDispute(account: Account, of: Wire<Stripe.Dispute>, won: boolean): Wire<Stripe.Dispute> {
  if (of.status === 'won' || of.status === 'lost') throw badRequest('This dispute is already closed.');
  return account.change(of, { status: won ? 'won' : 'lost' }, 'charge.dispute.updated', 'charge.dispute.closed');
}
