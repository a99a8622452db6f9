import type { AccountChange, ChangeKind } from './account-change.js';

/** How long changes are remembered, in milliseconds. */
export const REMEMBERED_MS = 5 * 60_000;
/** Number of remembered changes at which expired ones are removed. */
const MAX_CHANGES = 50_000;
/**
 * If more than this number of changes remain after expired ones were removed, all are dropped, and streams refresh
 * everything. Otherwise the removal, a linear scan, would run again for almost every new change.
 */
const MAX_REMEMBERED_CHANGES = 45_000;

type Found = Pick<AccountChange, 'kind' | 'id'>;

/**
 * Remembers recent changes of all accounts, so that a stream that reconnects after a short break gets the changes it
 * missed.
 */
export class RecentChanges {
  private readonly at = new Map<string, Map<string, number>>();
  private size = 0;
  private since: number;

  constructor(now = performance.now()) {
    this.since = now;
  }

  note(accountId: string, kind: ChangeKind, id: string | null, now = performance.now()): void {
    if (this.size >= MAX_CHANGES) {
      this.prune(now);
      if (this.size > MAX_REMEMBERED_CHANGES) this.forget(now);
    }
    const of = this.at.get(accountId) ?? new Map<string, number>();
    this.at.set(accountId, of);
    const key = `${kind} ${id ?? ''}`;
    if (!of.has(key)) this.size++;
    of.set(key, now);
  }

  /** Forgets all changes before `now`, because notifications may have been missed. */
  forget(now = performance.now()): void {
    this.at.clear();
    this.size = 0;
    this.since = now;
  }

  /**
   * Changes within the last `ageMs` milliseconds.
   * @returns undefined if changes that old are no longer remembered
   */
  within(accountId: string, ageMs: number, now = performance.now()): Found[] | undefined {
    const from = now - ageMs;
    if (from < this.since || ageMs > REMEMBERED_MS) return undefined;
    return [...(this.at.get(accountId) ?? [])]
      .filter(([, at]) => at >= from)
      .map(([key]) => {
        const [kind, id] = key.split(' ');
        return { kind: kind as ChangeKind, id: id || null };
      });
  }

  private prune(now: number): void {
    for (const [account, of] of this.at) {
      for (const [key, at] of of) if (now - at > REMEMBERED_MS && of.delete(key)) this.size--;
      if (of.size === 0) this.at.delete(account);
    }
  }
}
