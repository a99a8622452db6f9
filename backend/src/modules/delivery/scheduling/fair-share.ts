/** A send that has a range without a lease. */
export interface WaitingSend {
  sendId: string;
  /** The account holder whose share the send uses. */
  userId: string;
  isSmall: boolean;
  /** Stored virtual time of the send's account: number of messages charged so far. */
  virtualTime: number;
}

/** Result of one query: waiting sends, those of the accounts that have waited longest first. */
export interface WaitingSends {
  /**
   * Lowest virtual time of all accounts with something to send. It never falls. An account that had nothing to send
   * starts here, so it cannot save up credit. A waiting account is never behind the clock, so it loses nothing.
   */
  clock: number;
  sends: WaitingSend[];
}

/** Number of running slices of one worker, by kind of send. */
export interface RunningSlices {
  small: number;
  large: number;
}

/**
 * Slots of one worker. all: in total; large: maximum for large sends; small: those in which small sends have a head
 * start.
 */
export const SLOTS = { all: 3, large: 2, small: 2 };

/**
 * Head start in messages. In the slots for small sends, a small send still goes first if its account is ahead of a
 * large send's account by up to this many messages; in the slot that is left to large sends, it is the other way round.
 * Beyond that, shares decide, so splitting a large send into small ones gains nothing.
 */
export const HEAD_START = 2_000;

/**
 * Largest lead that counts against an account, in messages. A larger lead only arises while the other waiting accounts
 * cannot use their slices.
 */
export const MAX_LEAD = 20_000;

/** Virtual time at which an account's next slice starts. */
export const startOf = ({ virtualTime }: WaitingSend, clock: number): number =>
  Math.min(Math.max(virtualTime, clock), clock + MAX_LEAD);

/**
 * Start-time fair queueing over account holders. The account whose slice starts at the lowest virtual time is next, so
 * an account with a hundred sends gets the same share as an account with one. Small sends come first, except in one
 * slot that is left to large sends. Large sends never take the last slot, so they never occupy all slots.
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
