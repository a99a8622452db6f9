import type { ChangeKind } from './account-change.js';

/** Payload of a `change` event: what changed. Without ids, every object of the kind may have changed. */
export interface ChangeEvent {
  kind: ChangeKind;
  ids?: string[];
}

/** Largest number of ids in one event; beyond it the event covers the whole kind. */
const MAX_IDS = 20;

/**
 * Throttles the changes of one account: the first change of a kind is sent at once, later ones are coalesced into at
 * most one event a second for each kind.
 */
export class ChangeFeed {
  private readonly waiting = new Map<ChangeKind, Set<string> | 'all'>();
  private readonly told = new Map<ChangeKind, number>();
  private timer: NodeJS.Timeout | undefined;
  /** When the timer runs. */
  private dueAt = 0;

  constructor(
    private readonly tell: (event: ChangeEvent) => void,
    private readonly pauseMs: (kind: ChangeKind) => number,
  ) {}

  note(kind: ChangeKind, id: string | null): void {
    const ids = this.waiting.get(kind);
    if (id === null || ids === 'all' || (ids && ids.size >= MAX_IDS && !ids.has(id))) this.waiting.set(kind, 'all');
    else this.waiting.set(kind, (ids ?? new Set<string>()).add(id));
    this.schedule();
  }

  end(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
  }

  private schedule(): void {
    if (this.waiting.size === 0) return;
    const now = performance.now();
    const due = Math.min(
      ...[...this.waiting.keys()].map((kind) => (this.told.get(kind) ?? -Infinity) + this.pauseMs(kind)),
    );
    // The first change of another kind does not wait for an event that is due later.
    if (this.timer && due >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = due;
    this.timer = setTimeout(() => this.flush(), Math.max(0, due - now));
  }

  private flush(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const [kind, ids] of this.waiting) {
      if (now < (this.told.get(kind) ?? -Infinity) + this.pauseMs(kind)) continue;
      this.waiting.delete(kind);
      this.told.set(kind, now);
      this.tell(ids === 'all' ? { kind } : { kind, ids: [...ids] });
    }
    this.schedule();
  }
}
