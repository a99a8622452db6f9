import type { LimiterState } from '../../mail-accounts/index.js';
import { domainOfHeld, heldName, sendOfHeld } from './policy-refusals.js';

/** Ms by which a query for newer cuts reaches back, because a cut only becomes visible when its transaction commits. */
const OVERLAP_MS = 60_000;
/**
 * Ms after which all states are read again. This drops expired states, and finds states that would stay invisible after
 * the database's clock was set back.
 */
const READ_ALL_EVERY_MS = 60_000;

/**
 * The limits that replies of mail servers have imposed on the mail account in use, as far as this worker knows: limits
 * of mailbox providers, of domains, and of one send's mail to a domain. A pause applies on this worker even before the
 * database has stored it.
 */
export class LimitsInForce {
  private states = new Map<string, LimiterState>();
  /** When a state was set on this worker, by performance.now(). */
  private readonly setAt = new Map<string, number>();
  /** Ends of pauses that the database has not stored, by Date.now(). */
  private readonly pausedHere = new Map<string, number>();
  /** Sends whose mail to some domain is or was held back. */
  private heldSends = new Set<string>();
  /** When all states were last read, by performance.now(). */
  private readAt = -Infinity;

  /** Time in ms since 1970 from which cuts have to be queried; undefined: all states have to be read. */
  get knownUntil(): number | undefined {
    if (performance.now() - this.readAt > READ_ALL_EVERY_MS || this.states.size === 0) return undefined;
    return Math.max(...[...this.states.values()].map(({ cutAt }) => cutAt)) - OVERLAP_MS;
  }

  has(name: string): boolean {
    return this.states.has(name) || this.pausedHere.has(name);
  }

  /** Sets a state that the database has stored. */
  set(name: string, state: LimiterState): void {
    this.states.set(name, state);
    this.setAt.set(name, performance.now());
    this.pausedHere.delete(name);
    this.noteSend(name);
  }

  /** Pauses a name on this worker for `seconds`, or until `set` is called. */
  pauseHere(name: string, seconds: number): void {
    this.pausedHere.set(name, Date.now() + seconds * 1000);
    this.noteSend(name);
  }

  /** Ms until a pause of this worker ends; 0: there is no pause. */
  pausedHereForMs(name: string): number {
    return Math.max(0, (this.pausedHere.get(name) ?? 0) - Date.now());
  }

  /**
   * Finds the limiter for a send's mail to a domain. A send has its own limiter only while it is paused on its own, so
   * that it never gets slots in addition to those of its provider. If the domain's pause lasts longer, the domain's
   * limiter applies.
   * @param name a domain, a provider, or a result of `heldName`
   * @returns name of the limiter; undefined: the provider's limiter applies
   */
  nameOf(name: string, sendId = sendOfHeld(name)): string | undefined {
    const domain = domainOfHeld(name);
    if (sendId !== undefined && this.heldSends.has(sendId)) {
      const held = heldName(domain, sendId);
      if (this.pausedUntil(held) > Math.max(Date.now(), this.pausedUntil(domain))) return held;
    }
    return this.has(domain) ? domain : undefined;
  }

  /** Adds states that were cut since `knownUntil`. */
  add(states: ReadonlyMap<string, LimiterState>, asked: number): void {
    const { readAt } = this;
    this.replace(new Map([...this.states, ...states]), asked, true);
    this.readAt = readAt;
  }

  /**
   * Replaces the states by those that the database had at `asked` (by performance.now()).
   * @param isSameAccount false: the account has changed, so the states that this worker had are discarded
   */
  replace(states: Map<string, LimiterState>, asked: number, isSameAccount: boolean): void {
    this.readAt = asked;
    if (!isSameAccount) this.pausedHere.clear();
    for (const [name, until] of this.pausedHere) if (until <= Date.now()) this.pausedHere.delete(name);
    for (const [name, at] of this.setAt) {
      const own = this.states.get(name);
      // The query may miss a cut that happened while it ran, so the newer state of this worker is kept.
      if (isSameAccount && at >= asked && own) states.set(name, own);
      else this.setAt.delete(name);
    }
    this.states = states;
    this.heldSends = new Set();
    for (const name of [...states.keys(), ...this.pausedHere.keys()]) this.noteSend(name);
  }

  private pausedUntil(name: string): number {
    return Math.max(this.states.get(name)?.pausedUntil ?? 0, this.pausedHere.get(name) ?? 0);
  }

  private noteSend(name: string): void {
    const sendId = sendOfHeld(name);
    if (sendId !== undefined) this.heldSends.add(sendId);
  }
}
