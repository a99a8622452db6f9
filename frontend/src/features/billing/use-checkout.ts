import { useEffect, useReducer, useRef, useState } from 'react';
import { useCreateSubscription, type Order } from './api';

export type Checkout =
  | { phase: 'opening' }
  /** There is something to pay: a new plan, or the open invoice of the present one. */
  | { phase: 'open'; status: string; clientSecret: string }
  /** Nothing to pay. */
  | { phase: 'settled'; status: string }
  | { phase: 'failed'; error: unknown };

const OPENING: Checkout = { phase: 'opening' };

/**
 * Opens the purchase of what is ordered. At most one is open at a time and a newer one ends the older, so calls wait
 * for each other: overtaking would leave the form with the secret of a purchase that is over.
 */
export function useCheckout(order: Order | null): [Checkout, retry: () => void] {
  const create = useCreateSubscription();
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const [found, setFound] = useState<{ key: string; checkout: Checkout }>();
  const last = useRef<Promise<void>>(Promise.resolve());
  const { priceId, billingPeriod } = order ?? {};
  const key = `${priceId}:${attempt}`;
  useEffect(() => {
    if (!priceId || !billingPeriod) return;
    let isCurrent = true;
    const settle = (checkout: Checkout) => isCurrent && setFound({ key, checkout });
    last.current = last.current.then(async () => {
      if (!isCurrent) return;
      try {
        const { status, clientSecret } = await create({ priceId, billingPeriod });
        settle(clientSecret ? { phase: 'open', status, clientSecret } : { phase: 'settled', status });
      } catch (error) {
        settle({ phase: 'failed', error });
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [create, key, priceId, billingPeriod]);
  return [found?.key === key ? found.checkout : OPENING, retry];
}
