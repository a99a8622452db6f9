/** A send that has a free range of recipients. */
export interface WaitingSend {
  sendId: string;
  /** The account holder that shares are counted for. */
  userId: string;
  isSmall: boolean;
  /** Virtual time of its account: messages that it was given so far, caught up with the others whenever it had nothing to send. */
  virtualTime: number;
}

/** What one look at the database found, the sends of an account that waited longest first. */
export interface WaitingSends {
  /** Virtual time that the latest turn began at: an account that comes back starts here and has nothing saved up. */
  clock: number;
  sends: WaitingSend[];
}

/** Turns under way in one worker, by kind of send. */
export interface TurnsUnderWay {
  small: number;
  large: number;
}

/** Turns of one worker side by side; most of them for large sends; and most for small sends while large ones wait. */
export const SLOTS = { all: 3, large: 2, small: 2 };

/** Virtual time that an account's next turn begins at. */
export const startOf = ({ virtualTime }: WaitingSend, clock: number): number => Math.max(virtualTime, clock);

/**
 * Start-time fair queueing over account holders: the account whose turn begins at the lowest virtual time is next, so one that starts a
 * hundred sends gets the share of one. Small sends come first, but for one slot that is left to large ones; large ones never take the
 * last slot, so a small send finds it free.
 */
export function chooseSend({ sends, clock }: WaitingSends, underWay: TurnsUnderWay): WaitingSend | undefined {
  let small: WaitingSend | undefined;
  let large: WaitingSend | undefined;
  for (const send of sends) {
    const best = send.isSmall ? small : large;
    if (best && startOf(best, clock) <= startOf(send, clock)) continue;
    if (send.isSmall) small = send;
    else large = send;
  }
  if (small && (!large || underWay.small < SLOTS.small)) return small;
  return large && underWay.large < SLOTS.large ? large : undefined;
}
