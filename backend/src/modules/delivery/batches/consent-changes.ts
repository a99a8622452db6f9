import { Injectable } from '@nestjs/common';

/** Basis of the answer "this recipient may be mailed". */
export interface ConsentAnswer {
  /** Time of the query, by performance.now(). */
  since: number;
  /** Tokens of the address, its list, the sender and the send. A change of any of them invalidates the answer. */
  tokens: readonly string[];
}

/** Maximum age at which an answer may be used, in ms. Older changes need not be kept. */
export const MAX_ANSWER_AGE_MS = 30_000;
/** Maximum number of changes that are kept individually. If there are more, every older answer becomes invalid. */
const MAX_KEPT_CHANGES = 20_000;
/** Maximum age of an answer while the notifications of changes are interrupted, in ms. */
const UNNOTIFIED_MS = 1_000;
/**
 * Minimum time for which a batch may be dispatched while notifications are interrupted, in ms, so that a slow database
 * does not stop all mail.
 */
const UNNOTIFIED_BATCH_MS = 500;

/**
 * Keeps the consent changes that this worker was notified of: for addresses (unsubscribed, complained, suppressed,
 * removed), lists, senders and sends. Queried synchronously right before a message leaves. A change only invalidates an
 * answer; the database then decides again.
 */
@Injectable()
export class ConsentChanges {
  private readonly heard = new Map<string, number>();
  private lastAt = -Infinity;
  private allAt = -Infinity;
  private heardUntil = -Infinity;

  /** Records the tokens of a notification; `*` stands for everything. */
  note(tokens: readonly string[], now = performance.now()): void {
    if (tokens.includes('*') || this.heard.size + tokens.length > MAX_KEPT_CHANGES) return this.noteAll(now);
    this.lastAt = now;
    for (const token of tokens) this.heard.set(token, now);
  }

  /** Invalidates every older answer, because some changes may have been missed. */
  noteAll(now = performance.now()): void {
    this.lastAt = now;
    this.allAt = now;
    this.heard.clear();
  }

  /** Sets the time until which every change is known to arrive; -Infinity: changes may be missed from now on. */
  listeningUntil(time: number): void {
    this.heardUntil = time;
  }

  /** Whether the answer is recent enough and no change of its tokens has become known since. */
  isCurrent({ since, tokens }: ConsentAnswer, now = performance.now()): boolean {
    if (now - since > MAX_ANSWER_AGE_MS) return false;
    if (this.lastAt < since) return true;
    if (this.allAt >= since) return false;
    for (const token of tokens) if ((this.heard.get(token) ?? -Infinity) >= since) return false;
    return true;
  }

  /**
   * Time until which a batch may use its answers; Infinity while every change is known to arrive.
   * @param since when the batch was checked
   * @param started when its dispatching started
   */
  goodUntil(since: number, started: number, now = performance.now()): number {
    return now <= this.heardUntil ? Infinity : Math.max(since + UNNOTIFIED_MS, started + UNNOTIFIED_BATCH_MS);
  }

  /** Discards changes that are older than any usable answer. */
  prune(now = performance.now()): void {
    for (const [token, at] of this.heard) if (now - at > MAX_ANSWER_AGE_MS) this.heard.delete(token);
  }
}
