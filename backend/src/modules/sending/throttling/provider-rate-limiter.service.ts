import { Injectable } from '@nestjs/common';
import { type LimiterState, NEVER_USED, refuse, type Request, type Reservation, reserve } from './rate-limit.js';
import { RateStore } from './rate-store.js';

export interface ProviderRequest extends Request {
  provider: string;
}

/** How a refusal is judged; see rate-limit.ts. */
export interface Refusal extends Pick<Request, 'most' | 'start'> {
  /** How long ago the refused message was begun, in ms. */
  ageMs: number;
  /** Messages a second that the provider took of late. */
  measured: number;
  /** Least rate. */
  floor: number;
  /** The provider's words. */
  answer: string;
}

/** Places with mailbox providers over all workers. What it grants may be sent; there is no state in which it grants without limit by failing. */
@Injectable()
export class ProviderRateLimiter {
  constructor(private readonly store: RateStore) {}

  /** Reserves places with several providers at once. @throws where the store is away */
  async reserve(account: string, requests: readonly ProviderRequest[]): Promise<Map<string, Reservation>> {
    if (requests.length === 0) return new Map();
    return this.store.change(account, requests.map(({ provider }) => provider), (states, now) => {
      const after = new Map<string, LimiterState>();
      const result = new Map<string, Reservation>();
      for (const request of requests) {
        const { state, reservation } = reserve(states.get(request.provider) ?? NEVER_USED, request, now);
        if (reservation.granted > 0) after.set(request.provider, state);
        result.set(request.provider, reservation);
      }
      return { states: after, result };
    });
  }

  /** A provider asked for less. @returns its state from now on */
  async refused(account: string, provider: string, { ageMs, answer, ...refusal }: Refusal): Promise<LimiterState> {
    return this.store.change(account, [provider], (states, now) => {
      const state = refuse(states.get(provider) ?? NEVER_USED, { ...refusal, begunAt: now - ageMs }, now);
      return { states: new Map([[provider, state]]), result: state };
    }, answer);
  }

  /** Nothing goes to a provider for so long; then it is asked by one message after another, `perSecond` at first. */
  async pause(account: string, provider: string, seconds: number, perSecond: number, answer: string): Promise<LimiterState> {
    return this.store.change(account, [provider], (states, now) => {
      const state: LimiterState = { ...(states.get(provider) ?? NEVER_USED), cutAt: now, usedAt: now, pausedUntil: now + seconds * 1000, nextAt: now, learned: { base: perSecond, ceiling: null, goodSeconds: 0 } };
      return { states: new Map([[provider, state]]), result: state };
    }, answer);
  }

  /** What holds mail of an account back now. */
  active(account: string): Promise<Map<string, LimiterState>> {
    return this.store.active(account);
  }
}
