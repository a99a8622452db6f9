interface Slots {
  room: number;
  /** Start times of the messages in flight, oldest first. */
  underWay: Set<number>;
  /** Whether a batch waited for a slot without getting one. Cleared when a message to the provider completes. */
  isStalled: boolean;
  /** Whether a backlog found no free slot. Cleared when a backlog finds one, or when nothing is in flight. */
  isAwaited: boolean;
}

const INITIAL_SLOTS = 4;
const MAX_SLOTS = 100;
/** If a message takes longer than this many ms, its provider counts as slow. */
const SLOW_MESSAGE_MS = 3_000;
const MAX_PROVIDERS = 10_000;

/**
 * Limits the messages that one worker has in flight with each provider. The limit starts low and rises by one with each
 * quick message, so that a hanging provider never occupies all connections.
 */
export class ProviderConcurrency {
  private readonly slots = new Map<string, Slots>();

  /**
   * Whether another message to the provider may start.
   * @param most upper bound from the account's settings
   */
  hasRoom(provider: string, most: number): boolean {
    const slots = this.slots.get(provider);
    return !slots || this.free(provider, most) > 0;
  }

  /** Number of messages that may start now. */
  free(provider: string, most: number): number {
    const slots = this.slots.get(provider);
    if (!slots) return Math.min(INITIAL_SLOTS, most);
    const [oldest] = slots.underWay;
    const isStuck = oldest !== undefined && performance.now() - oldest > SLOW_MESSAGE_MS;
    return Math.min(isStuck ? INITIAL_SLOTS : slots.room, most) - slots.underWay.size;
  }

  /** Like `free`, for a backlog. If no slot is free, `leave` reports when one becomes free. */
  freeForBacklog(provider: string, most: number): number {
    const free = this.free(provider, most);
    const slots = this.slots.get(provider);
    if (slots) slots.isAwaited = free <= 0;
    return free;
  }

  /**
   * Takes a slot.
   * @returns the key that frees the slot in `leave`
   */
  enter(provider: string): number {
    const { underWay } = this.of(provider);
    let started = performance.now();
    while (underWay.has(started)) started += 0.001;
    underWay.add(started);
    return started;
  }

  /**
   * Frees the slot that was taken at `entered`.
   * @returns whether a batch or a backlog may be waiting for it
   */
  leave(provider: string, entered: number): boolean {
    const slots = this.of(provider);
    const mayWait = slots.isStalled || slots.isAwaited;
    slots.underWay.delete(entered);
    slots.isStalled = false;
    slots.isAwaited &&= slots.underWay.size > 0;
    const isQuick = performance.now() - entered < SLOW_MESSAGE_MS;
    slots.room = isQuick ? Math.min(slots.room + 1, MAX_SLOTS) : Math.max(INITIAL_SLOTS, slots.room >> 1);
    return mayWait;
  }

  /**
   * Records that a batch waited for a slot without getting one. Until a message to the provider completes, other
   * batches do not wait.
   */
  stalled(provider: string): void {
    this.of(provider).isStalled = true;
  }

  isStalled(provider: string): boolean {
    return this.slots.get(provider)?.isStalled ?? false;
  }

  private of(provider: string): Slots {
    let slots = this.slots.get(provider);
    if (!slots) {
      if (this.slots.size >= MAX_PROVIDERS)
        for (const [name, { underWay }] of this.slots) if (underWay.size === 0) this.slots.delete(name);
      this.slots.set(
        provider,
        (slots = { room: INITIAL_SLOTS, underWay: new Set(), isStalled: false, isAwaited: false }),
      );
    }
    return slots;
  }
}
