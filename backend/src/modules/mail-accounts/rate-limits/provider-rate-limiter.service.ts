import { Injectable } from '@nestjs/common';
import { type LimiterState, NEVER_USED, cutRate, type SlotRequest, type Reservation, reserve } from './rate-limit.js';
import { RateStore } from './rate-store.js';

export interface ProviderRequest extends SlotRequest {
  provider: string;
}

/** Parameters of a cut; see rate-limit.ts. */
export interface RateCut extends Pick<SlotRequest, 'most' | 'start'> {
  /** Ms since the refused message was begun. */
  ageMs: number;
  /** Messages per second that the provider accepted recently. */
  measured: number;
  /** Lowest permitted rate, in messages per second. */
  floor: number;
  /** The provider's reply. */
  answer: string;
}

/**
 * Rate limiter per (mail account, mailbox provider), shared by all workers. Every granted message may be sent. Never
 * grants anything on failure: errors of the store reach the caller.
 */
@Injectable()
export class ProviderRateLimiter {
  constructor(private readonly store: RateStore) {}

  /**
   * Reserves send times with several providers in one transaction.
   * @throws if the store does not answer
   */
  async reserve(account: string, requests: readonly ProviderRequest[]): Promise<Map<string, Reservation>> {
    if (requests.length === 0) return new Map();
    return this.store.change(
      account,
      requests.map(({ provider }) => provider),
      (states, now) => {
        const after = new Map<string, LimiterState>();
        const result = new Map<string, Reservation>();
        for (const request of requests) {
          const { state, reservation } = reserve(states.get(request.provider) ?? NEVER_USED, request, now);
          if (reservation.granted > 0) after.set(request.provider, state);
          result.set(request.provider, reservation);
        }
        return { states: after, result };
      },
    );
  }

  /**
   * Lowers the rate of a provider whose reply asked for a lower rate.
   * @returns the new limiter state
   */
  async cut(account: string, provider: string, { ageMs, answer, ...rates }: RateCut): Promise<LimiterState> {
    return this.store.change(
      account,
      [provider],
      (states, now) => {
        const state = cutRate(states.get(provider) ?? NEVER_USED, { ...rates, begunAt: now - ageMs }, now);
        return { states: new Map([[provider, state]]), result: state };
      },
      answer,
    );
  }

  /** Pauses a provider for `seconds`; afterwards its limiter starts at `perSecond` messages per second. */
  async pause(
    account: string,
    provider: string,
    seconds: number,
    perSecond: number,
    answer: string,
  ): Promise<LimiterState> {
    return this.store.change(
      account,
      [provider],
      (states, now) => {
        const state: LimiterState = {
          ...(states.get(provider) ?? NEVER_USED),
          cutAt: now,
          usedAt: now,
          pausedUntil: now + seconds * 1000,
          nextAt: now,
          learned: { base: perSecond, ceiling: null, goodSeconds: 0 },
        };
        return { states: new Map([[provider, state]]), result: state };
      },
      answer,
    );
  }

  /**
   * Limiter states of an account that were cut within the last day, and so may still limit its mail.
   * @param since only states cut after this time, in ms since 1970; see RateStore.active
   */
  active(account: string, since?: number): Promise<Map<string, LimiterState>> {
    return this.store.active(account, since);
  }
}
