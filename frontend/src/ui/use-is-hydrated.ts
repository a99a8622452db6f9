import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** False while prerendered HTML waits for its scripts; then true. */
export const useIsHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
