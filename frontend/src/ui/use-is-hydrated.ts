import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** False while prerendered HTML waits for its scripts, true afterwards. */
export const useIsHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
