import { useCallback, useState } from 'react';
import { client } from '../../api/client';
import type { NewSubscription } from './api';

export type Checkout =
  /** Nothing is ordered yet. */
  | { phase: 'idle' }
  | { phase: 'opening' }
  /** A payment is due: for a new plan, or the open invoice of the present one. */
  | { phase: 'open'; status: string; clientSecret: string }
  /** Nothing to pay. */
  | { phase: 'settled'; status: string }
  | { phase: 'failed'; error: unknown };

const IDLE: Checkout = { phase: 'idle' };

/**
 * The last order, and a function that places an order. The server limits orders, and a newer order cancels the older
 * one, so an order is placed only when the person continues with a price.
 * @returns the checkout state of an order, the function that places it, and whether one is being placed
 */
export function useCheckout(): [
  of: (order: NewSubscription | null) => Checkout,
  start: (order: NewSubscription) => void,
  isOpening: boolean,
] {
  const [create] = client.useCreateSubscriptionMutation();
  const [last, setLast] = useState<{ priceId: string; checkout: Checkout } | null>(null);
  const isOpening = last?.checkout.phase === 'opening';
  const start = useCallback(
    async ({ priceId, billingPeriod }: NewSubscription) => {
      const settle = (checkout: Checkout) => setLast({ priceId, checkout });
      settle({ phase: 'opening' });
      try {
        const { status, clientSecret } = await create({ createSubscriptionDto: { priceId, billingPeriod } }).unwrap();
        settle(clientSecret ? { phase: 'open', status, clientSecret } : { phase: 'settled', status });
      } catch (error) {
        settle({ phase: 'failed', error });
      }
    },
    [create],
  );
  const of = (order: NewSubscription | null): Checkout =>
    order !== null && last?.priceId === order.priceId ? last.checkout : IDLE;
  return [of, (order) => void start(order), isOpening];
}
