import type { AccountChange, ChangeKind } from './account-change.js';

/** Changes are remembered for so long, in milliseconds. */
export const REMEMBERED_MS = 5 * 60_000;
/** More than this are forgotten together: streams that ask about them refresh everything. */
const MOST = 50_000;

type Found = Pick<AccountChange, 'kind' | 'id'>;

/** The changes of all accounts that this process heard of lately: a stream that was away for a moment learns what it missed. */
export class RecentChanges {
  private readonly at = new Map<string, Map<string, number>>();
  private size = 0;
  private since: number;

  constructor(now = performance.now()) {
    this.since = now;
  }

  note(accountId: string, kind: ChangeKind, id: string | null, now = performance.now()): void {
    if (this.size >= MOST) this.prune(now);
    if (this.size >= MOST) this.forget(now);
    const of = this.at.get(accountId) ?? new Map<string, number>();
    this.at.set(accountId, of);
    const key = `${kind} ${id ?? ''}`;
    if (!of.has(key)) this.size++;
    of.set(key, now);
  }

  /** Something may have been missed until now. */
  forget(now = performance.now()): void {
    this.at.clear();
    this.size = 0;
    this.since = now;
  }

  /** What changed within the last `ageMs`; undefined where that is not known. */
  within(accountId: string, ageMs: number, now = performance.now()): Found[] | undefined {
    const from = now - ageMs;
    if (from < this.since || ageMs > REMEMBERED_MS) return undefined;
    return [...(this.at.get(accountId) ?? [])].filter(([, at]) => at >= from).map(([key]) => {
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
