/** A send with a free range. */
export interface WaitingSend {
  sendId: string;
  /** The account holder to whom the share belongs. */
  userId: string;
  isSmall: boolean;
  /** Virtual time of its account: messages charged so far, as stored. */
  virtualTime: number;
}

/** Result of one query: waiting sends, those of the longest waiting accounts first. */
export interface WaitingSends {
  /**
   * Lowest virtual time of all accounts with something to send. It never falls: an account that had nothing to send
   * starts here without saved credit, and a waiting account is never behind it and loses nothing.
   */
  clock: number;
  sends: WaitingSend[];
}

/** Running slices of one worker, by kind of send. */
export interface RunningSlices {
  small: number;
  large: number;
}

/** Slots of one worker: total, for large sends, and for small sends while large ones wait. */
export const SLOTS = { all: 3, large: 2, small: 2 };

/**
 * Messages by which a small send's account may be ahead of a large one's and still go first in the slots for small
 * sends, and vice versa in the slot that is left to large ones. Beyond that shares decide, so that splitting a large
 * send into small ones gains nothing.
 */
export const HEAD_START = 2_000;

/** Largest lead that counts against an account: it received more only while a waiting account could not use its slices. */
export const MAX_LEAD = 20_000;

/** Virtual time at which an account's next slice starts. */
export const startOf = ({ virtualTime }: WaitingSend, clock: number): number =>
  Math.min(Math.max(virtualTime, clock), clock + MAX_LEAD);

/**
 * Start-time fair queueing over account holders: the account whose slice starts at the lowest virtual time is next, so
 * an account with a hundred sends gets the share of one. Small sends come first except in one slot that is left to
 * large sends; large sends never take the last slot, so a small send finds it free.
 */
export function chooseSend({ sends, clock }: WaitingSends, underWay: RunningSlices): WaitingSend | undefined {
  if (underWay.small + underWay.large >= SLOTS.all) return undefined;
  let small: WaitingSend | undefined;
  let large: WaitingSend | undefined;
  for (const send of sends) {
    const best = send.isSmall ? small : large;
    if (best && startOf(best, clock) <= startOf(send, clock)) continue;
    if (send.isSmall) small = send;
    else large = send;
  }
  if (!large) return small;
  const headStart = underWay.small < SLOTS.small ? HEAD_START : -HEAD_START;
  if (small && startOf(small, clock) <= startOf(large, clock) + headStart) return small;
  return underWay.large < SLOTS.large ? large : undefined;
}
