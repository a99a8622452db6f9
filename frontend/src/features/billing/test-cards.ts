import type { CardChoice } from '../../ui/form/radio-cards';

/** Stripe's own test payment methods, by name: there is no number to type, so nobody can type a real one. */
export const TEST_CARDS = [
  { value: 'pm_card_visa', label: 'Visa, is accepted', text: 'The payment goes through.' },
  { value: 'pm_card_threeDSecure2Required', label: 'Visa, asks for 3-D Secure', text: 'A page of the bank comes first; it can pass or fail.' },
  { value: 'pm_card_visa_chargeDeclined', label: 'Visa, is declined', text: 'The bank refuses the charge.' },
  { value: 'pm_card_visa_chargeDeclinedInsufficientFunds', label: 'Visa, has insufficient funds', text: 'The bank refuses the charge and says why.' },
  { value: 'pm_card_createDispute', label: 'Visa, the payment is disputed', text: 'The payment goes through and is questioned afterwards.' },
] as const satisfies readonly CardChoice<string>[];

export type TestCard = (typeof TEST_CARDS)[number]['value'];
