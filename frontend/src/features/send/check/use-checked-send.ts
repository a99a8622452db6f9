import { useEffect, useEffectEvent, useState } from 'react';
import type { SendCheck } from './use-send-check';

/** How long a press of Send waits for the number of recipients. */
const WAIT_MS = 8_000;

/**
 * Sends once the recipients were counted. Where they could not be, or not in time, it asks first.
 * @param send sends
 */
export function useCheckedSend(check: SendCheck | undefined, isFailed: boolean, mayNotSend: boolean, send: () => void) {
  const [state, setState] = useState<'idle' | 'waiting' | 'asking'>('idle');
  const settle = useEffectEvent((isLate: boolean) => {
    if (!check && !isFailed && !isLate) return;
    // The reasons stand under the button now.
    if (mayNotSend) return setState('idle');
    if (!check?.forecast) return setState('asking');
    setState('idle');
    send();
  });
  useEffect(() => {
    if (state !== 'waiting') return;
    const timer = setTimeout(() => settle(false));
    return () => clearTimeout(timer);
  }, [state, check, isFailed]);
  useEffect(() => {
    if (state !== 'waiting') return;
    const timer = setTimeout(() => settle(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return {
    isWaiting: state === 'waiting',
    isAsking: state === 'asking',
    press: () => setState('waiting'),
    stop: () => setState('idle'),
    sendAnyway: () => {
      setState('idle');
      send();
    },
  };
}
