/** Behaviour of a test card. Cards are found by the names of Stripe's test payment methods, never by card number. */
export interface TestCard {
  brand: 'visa' | 'mastercard';
  last4: string;
  /** Code with which the card declines every charge. */
  decline?: 'generic_decline' | 'insufficient_funds';
  /** Whether the customer must pass 3-D Secure. */
  asks?: boolean;
  /** Whether the card can be attached to a customer. If not, attaching it is declined. */
  attachable: boolean;
  disputes?: boolean;
  label: string;
}

export const TEST_CARDS: Record<string, TestCard> = {
  pm_card_visa: { brand: 'visa', last4: '4242', attachable: true, label: 'Visa, is accepted' },
  pm_card_mastercard: { brand: 'mastercard', last4: '4444', attachable: true, label: 'Mastercard, is accepted' },
  pm_card_visa_chargeDeclined: {
    brand: 'visa',
    last4: '0002',
    decline: 'generic_decline',
    attachable: false,
    label: 'Visa, is declined',
  },
  pm_card_visa_chargeDeclinedInsufficientFunds: {
    brand: 'visa',
    last4: '9995',
    decline: 'insufficient_funds',
    attachable: false,
    label: 'Visa, has insufficient funds',
  },
  pm_card_threeDSecure2Required: {
    brand: 'visa',
    last4: '3220',
    asks: true,
    attachable: true,
    label: 'Visa, asks for 3-D Secure',
  },
  pm_card_chargeCustomerFail: {
    brand: 'visa',
    last4: '0341',
    decline: 'generic_decline',
    attachable: true,
    label: 'Visa, later charges fail',
  },
  pm_card_createDispute: {
    brand: 'visa',
    last4: '0259',
    disputes: true,
    attachable: true,
    label: 'Visa, the payment is disputed',
  },
};

export const DECLINES = {
  generic_decline: 'Your card was declined.',
  insufficient_funds: 'Your card has insufficient funds.',
} as const;
