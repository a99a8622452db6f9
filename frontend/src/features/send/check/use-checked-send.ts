import { useEffect, useEffectEvent, useState } from 'react';
import { blocking, type CheckQuery } from './use-send-check';

/** Ms for which pressing Send waits for the number of recipients. */
const MAX_WAIT_MS = 8_000;

/**
 * Sends once the recipients are counted. If they cannot be counted in time, asks the user first. A finding that has to
 * be fixed prevents the send.
 * @param send sends the email
 */
export function useCheckedSend({ check, error, isFetching }: CheckQuery, send: () => void) {
  const [state, setState] = useState<'idle' | 'waiting' | 'asking'>('idle');
  const isFailed = error !== undefined && !isFetching;
  const isBlocked = blocking(check, true).length > 0;
  const isSettled = check !== undefined || isFailed;
  const settle = () => {
    // The reasons are shown under the button.
    if (isBlocked) return setState('idle');
    if (!check?.forecast) return setState('asking');
    setState('idle');
    send();
  };
  const onSettled = useEffectEvent(settle);
  useEffect(() => {
    if (state !== 'waiting') return;
    const timer = setTimeout(() => onSettled(), isSettled ? 0 : MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [state, isSettled]);
  return {
    isWaiting: state === 'waiting',
    // An answer that arrives while the question is shown may contain a finding that has to be fixed.
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
