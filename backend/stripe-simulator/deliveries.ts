import { createHmac } from 'node:crypto';
import type { Account } from './account.ts';
import type { Delivery } from './state.ts';

/** Faults that the simulator causes in webhook deliveries and in the API. */
export interface Faults {
  /** Whether every event is lost. */
  drop?: boolean;
  /** Number of times each event is sent. */
  copies?: number;
  /**
   * Delay before the first attempt, in milliseconds. With `shuffle`, each event waits for a random part of the delay.
   */
  delay?: number;
  shuffle?: boolean;
  /**
   * Numbers of the next API calls that fail: `fail500` calls get a 500 and are not processed; `dieAfterCommit` calls
   * are processed but get no answer.
   */
  fail500?: number;
  dieAfterCommit?: number;
}

export interface Endpoint {
  url: string;
  secret: string;
}

const PAUSES_MS = [200, 1_000, 5_000, 30_000, 120_000, 600_000];
const GIVE_UP_AFTER = 40;
const TRY_LIMIT_MS = 20_000;

export function signatureOf(payload: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`;
}

/**
 * Sends events to the webhook endpoint, concurrently and unordered. Repeats each event until the endpoint answers 2xx.
 */
export class Deliveries {
  faults: Faults = {};
  private readonly account: Account;
  endpoint: Endpoint | undefined;
  private readonly changed: () => void;
  private readonly timers = new Map<Delivery, NodeJS.Timeout>();
  private underWay = 0;
  private stopped = false;

  constructor(account: Account, endpoint: Endpoint | undefined, changed: () => void) {
    this.account = account;
    this.endpoint = endpoint;
    this.changed = changed;
    for (const delivery of account.state.deliveries) this.schedule(delivery);
  }

  add(event: string): void {
    if (!this.endpoint || this.faults.drop) return;
    for (let copy = 0; copy < (this.faults.copies ?? 1); copy += 1) {
      const wait = (this.faults.delay ?? 0) * (this.faults.shuffle ? Math.random() : 1);
      const delivery: Delivery = { event, tries: 0, due: Date.now() + wait };
      this.account.state.deliveries.push(delivery);
      this.schedule(delivery);
    }
  }

  /** Whether no delivery waits or is in progress. */
  get idle(): boolean {
    return this.underWay === 0 && this.timers.size === 0;
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private schedule(delivery: Delivery): void {
    if (this.stopped) return;
    const timer = setTimeout(
      () => {
        this.timers.delete(delivery);
        this.underWay += 1;
        void this.attempt(delivery).finally(() => {
          this.underWay -= 1;
        });
      },
      Math.max(0, delivery.due - Date.now()),
    );
    this.timers.set(delivery, timer);
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const event = this.account.find('events', delivery.event);
    const taken = !event || (await this.post(JSON.stringify(event)));
    if (this.stopped) return;
    delivery.tries += 1;
    if (taken || delivery.tries >= GIVE_UP_AFTER) {
      this.account.state.deliveries = this.account.state.deliveries.filter((other) => other !== delivery);
      if (event && taken) event.pending_webhooks = 0;
    } else {
      delivery.due = Date.now() + (PAUSES_MS[delivery.tries - 1] ?? 600_000);
      this.schedule(delivery);
    }
    this.changed();
  }

  private async post(payload: string): Promise<boolean> {
    if (!this.endpoint) return false;
    const { url, secret } = this.endpoint;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body: payload,
        signal: AbortSignal.timeout(TRY_LIMIT_MS),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(payload, secret),
          'user-agent': 'Stripe/1.0 (simulated)',
        },
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }
}
