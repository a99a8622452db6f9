import { Injectable } from '@nestjs/common';

/** What the answer "this recipient may be mailed" rests on. */
export interface ConsentAnswer {
  /** When the database was asked, by performance.now(). */
  since: number;
  /** Tokens whose change makes the answer void: those of the address, its list, the sender and the send. */
  tokens: readonly string[];
}

/** No answer is used longer than this, so older changes need not be kept. */
export const LONGEST_ANSWER_MS = 30_000;
/** Changes remembered one by one; more of them void every older answer. */
const MOST_KEPT = 20_000;
/** An answer is good for so long where changes are not heard … */
const UNHEARD_MS = 1_000;
/** … or a batch may be handed over for so long, whichever is later: a slow database must not stop all mail. */
const UNHEARD_BATCH_MS = 500;

/**
 * The changes of consent that this worker has heard of: of addresses (unsubscribed, complained, suppressed, removed), of lists, senders and sends.
 * Asked synchronously right before a message leaves. It never says who may be mailed: an answer that a change made void is asked for again.
 */
@Injectable()
export class ConsentChanges {
  private readonly heard = new Map<string, number>();
  private lastAt = -Infinity;
  private allAt = -Infinity;
  private heardUntil = -Infinity;

  /** Takes the tokens of a notification; `*` stands for everything. */
  note(tokens: readonly string[], now = performance.now()): void {
    if (tokens.includes('*') || this.heard.size + tokens.length > MOST_KEPT) return this.noteAll(now);
    this.lastAt = now;
    for (const token of tokens) this.heard.set(token, now);
  }

  /** Changes may have been missed until now: every answer before is void. */
  noteAll(now = performance.now()): void {
    this.lastAt = now;
    this.allAt = now;
    this.heard.clear();
  }

  /** Changes are heard, at least until then; -Infinity: not any more. */
  listeningUntil(time: number): void {
    this.heardUntil = time;
  }

  /** Whether nothing is known to have changed since the answer, and the answer is not too old to know. */
  isCurrent({ since, tokens }: ConsentAnswer, now = performance.now()): boolean {
    if (now - since > LONGEST_ANSWER_MS) return false;
    if (this.lastAt < since) return true;
    if (this.allAt >= since) return false;
    for (const token of tokens) if ((this.heard.get(token) ?? -Infinity) >= since) return false;
    return true;
  }

  /** Until when a batch that was asked for at `since` and is handed over from `started` on may rest on its answers, where changes are not heard; Infinity where they are. */
  goodUntil(since: number, started: number, now = performance.now()): number {
    return now <= this.heardUntil ? Infinity : Math.max(since + UNHEARD_MS, started + UNHEARD_BATCH_MS);
  }

  /** Forgets what no answer can be older than. */
  prune(now = performance.now()): void {
    for (const [token, at] of this.heard) if (now - at > LONGEST_ANSWER_MS) this.heard.delete(token);
  }
}
