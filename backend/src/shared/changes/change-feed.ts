import type { ChangeKind } from './account-change.js';

/** Payload of a `change` event. Without ids, every object of the kind may have changed. */
export interface ChangeEvent {
  kind: ChangeKind;
  ids?: string[];
}

/** Maximum number of ids in one event. With more ids, the event stands for all objects of the kind. */
const MAX_IDS = 20;

/**
 * Throttles the changes of one account: sends the first change of a kind at once, and combines later ones into one
 * event per kind and pause.
 */
export class ChangeFeed {
  private readonly waiting = new Map<ChangeKind, Set<string> | 'all'>();
  private readonly told = new Map<ChangeKind, number>();
  private timer: NodeJS.Timeout | undefined;
  /** Time (performance.now()) at which the timer fires. */
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
    // Keeps a running timer unless the new change is due earlier.
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
