import type { LimiterState } from '../../mail-accounts/index.js';
import { domainOfHeld, heldName, sendOfHeld } from './policy-refusals.js';

/** Ms by which a query for newer cuts reaches back: a cut becomes visible only when its transaction commits. */
const OVERLAP_MS = 60_000;
/**
 * Ms after which all states are read again. This drops expired ones, and finds those that stay invisible after the
 * database's clock was set back.
 */
const READ_ALL_EVERY_MS = 60_000;

/**
 * The limits that mail servers' replies have put on the account in use, as far as this worker knows: limits of
 * providers, of domains, and of one send's mail to a domain. A pause holds here even before the database has stored it.
 */
export class LimitsInForce {
  private states = new Map<string, LimiterState>();
  /** When a state was set on this worker, by performance.now(). */
  private readonly setAt = new Map<string, number>();
  /** Ends of pauses that the database does not have, by Date.now(). */
  private readonly pausedHere = new Map<string, number>();
  /** Sends whose mail to some domain is or was held. */
  private heldSends = new Set<string>();
  /** When all states were read, by performance.now(). */
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

  /** Pauses a name on this worker, until `set` or for `seconds`. */
  pauseHere(name: string, seconds: number): void {
    this.pausedHere.set(name, Date.now() + seconds * 1000);
    this.noteSend(name);
  }

  /** Ms until a pause of this worker ends; 0: none. */
  pausedHereForMs(name: string): number {
    return Math.max(0, (this.pausedHere.get(name) ?? 0) - Date.now());
  }

  /**
   * Name of the limiter for a send's mail to a domain; undefined: the provider's limiter applies. The send has a
   * limiter of its own only during its own pause, so that it never gets slots besides those of its provider. Where the
   * pause of the domain is longer, the domain's applies.
   * @param name a domain, a provider, or a name of `heldName`
   */
  nameOf(name: string, sendId = sendOfHeld(name)): string | undefined {
    const domain = domainOfHeld(name);
    if (sendId !== undefined && this.heldSends.has(sendId)) {
      const held = heldName(domain, sendId);
      if (this.pausedUntil(held) > Math.max(Date.now(), this.pausedUntil(domain))) return held;
    }
    return this.has(domain) ? domain : undefined;
  }

  /** Adds the states that were cut since `knownUntil`. */
  add(states: ReadonlyMap<string, LimiterState>, asked: number): void {
    const { readAt } = this;
    this.replace(new Map([...this.states, ...states]), asked, true);
    this.readAt = readAt;
  }

  /**
   * Replaces the states by those that the database had at `asked` (by performance.now()).
   * @param isSameAccount false: the account has changed, so what this worker knows is void
   */
  replace(states: Map<string, LimiterState>, asked: number, isSameAccount: boolean): void {
    this.readAt = asked;
    if (!isSameAccount) this.pausedHere.clear();
    for (const [name, until] of this.pausedHere) if (until <= Date.now()) this.pausedHere.delete(name);
    for (const [name, at] of this.setAt) {
      const own = this.states.get(name);
      // The query may miss a cut that happened while it ran.
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
