import { useEffect, useEffectEvent, useState } from 'react';
import { blocking, type CheckQuery } from './use-send-check';

/** How long a press of Send waits for the number of recipients. */
const WAIT_MS = 8_000;

/**
 * Sends once the recipients were counted. Where they could not be, or not in time, it asks first. A row to fix stops it.
 * @param send sends
 */
export function useCheckedSend({ check, error, isFetching }: CheckQuery, send: () => void) {
  const [state, setState] = useState<'idle' | 'waiting' | 'asking'>('idle');
  const isFailed = error !== undefined && !isFetching;
  const isBlocked = blocking(check, true).length > 0;
  const isSettled = check !== undefined || isFailed;
  const settle = () => {
    // The reasons stand under the button now.
    if (isBlocked) return setState('idle');
    if (!check?.forecast) return setState('asking');
    setState('idle');
    send();
  };
  const onSettled = useEffectEvent(settle);
  useEffect(() => {
    if (state !== 'waiting') return;
    const timer = setTimeout(() => onSettled(), isSettled ? 0 : WAIT_MS);
    return () => clearTimeout(timer);
  }, [state, isSettled]);
  return {
    isWaiting: state === 'waiting',
    // An answer that came after the question may say that there is something to fix.
    isAsking: state === 'asking' && !isBlocked,
    press: () => (isSettled ? settle() : setState('waiting')),
    stop: () => setState('idle'),
    sendAnyway: () => {
      setState('idle');
      if (!isBlocked) send();
    },
  };
}

export type CheckedSend = ReturnType<typeof useCheckedSend>;
