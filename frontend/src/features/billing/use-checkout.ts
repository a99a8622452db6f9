import { useCallback, useState } from 'react';
import { useCreateSubscription, type Order } from './api';

export type Checkout =
  /** Nothing is ordered yet: prices are compared. */
  | { phase: 'idle' }
  | { phase: 'opening' }
  /** There is something to pay: a new plan, or the open invoice of the present one. */
  | { phase: 'open'; status: string; clientSecret: string }
  /** Nothing to pay. */
  | { phase: 'settled'; status: string }
  | { phase: 'failed'; error: unknown };

const IDLE: Checkout = { phase: 'idle' };

/**
 * The purchase that was ordered last, and the way to order one. The server limits orders, and a newer one ends the older:
 * so it is ordered once for each price that is gone on with, and looking at prices orders nothing.
 */
export function useCheckout(): [of: (order: Order | null) => Checkout, start: (order: Order) => void, isOpening: boolean] {
  const create = useCreateSubscription();
  const [last, setLast] = useState<{ priceId: string; checkout: Checkout } | null>(null);
  const isOpening = last?.checkout.phase === 'opening';
  const start = useCallback(
    async ({ priceId, billingPeriod }: Order) => {
      const settle = (checkout: Checkout) => setLast({ priceId, checkout });
      settle({ phase: 'opening' });
      try {
        const { status, clientSecret } = await create({ priceId, billingPeriod });
        settle(clientSecret ? { phase: 'open', status, clientSecret } : { phase: 'settled', status });
      } catch (error) {
        settle({ phase: 'failed', error });
      }
    },
    [create],
  );
  const of = (order: Order | null): Checkout => (order !== null && last?.priceId === order.priceId ? last.checkout : IDLE);
  return [of, (order) => void start(order), isOpening];
}
