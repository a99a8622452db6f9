interface Slots {
  room: number;
  /** Start times of the messages under way, oldest first. */
  underWay: Set<number>;
  /** Set once a batch waited for a slot in vain, until one of its messages comes through. */
  isStalled: boolean;
}

const FIRST_ROOM = 4;
const MOST_ROOM = 100;
/** A message that takes longer says that its provider is slow. */
const SLOW_MS = 3_000;
const KEPT = 10_000;

/**
 * How many messages one worker has under way with each provider: few at first, one more for each that went quickly, so that one that
 * hangs never takes all connections.
 */
export class ProviderConcurrency {
  private readonly slots = new Map<string, Slots>();

  /** @param most bound of the account */
  hasRoom(provider: string, most: number): boolean {
    const slots = this.slots.get(provider);
    return !slots || this.free(provider, most) > 0;
  }

  /** Messages that may be begun now. */
  free(provider: string, most: number): number {
    const slots = this.slots.get(provider);
    if (!slots) return Math.min(FIRST_ROOM, most);
    const [oldest] = slots.underWay;
    const isStuck = oldest !== undefined && performance.now() - oldest > SLOW_MS;
    return Math.min(isStuck ? FIRST_ROOM : slots.room, most) - slots.underWay.size;
  }

  /** Takes a slot. @returns what to give it back by */
  enter(provider: string): number {
    const { underWay } = this.of(provider);
    let started = performance.now();
    while (underWay.has(started)) started += 0.001;
    underWay.add(started);
    return started;
  }

  /** The message that entered then is through. */
  leave(provider: string, entered: number): void {
    const slots = this.of(provider);
    slots.underWay.delete(entered);
    slots.isStalled = false;
    const isQuick = performance.now() - entered < SLOW_MS;
    slots.room = isQuick ? Math.min(slots.room + 1, MOST_ROOM) : Math.max(FIRST_ROOM, slots.room >> 1);
  }

  /** A batch waited for a slot in vain: until a message comes through, others of it need not wait too. */
  stalled(provider: string): void {
    this.of(provider).isStalled = true;
  }

  isStalled(provider: string): boolean {
    return this.slots.get(provider)?.isStalled ?? false;
  }

  private of(provider: string): Slots {
    let slots = this.slots.get(provider);
    if (!slots) {
      if (this.slots.size >= KEPT) for (const [name, { underWay }] of this.slots) if (underWay.size === 0) this.slots.delete(name);
      this.slots.set(provider, (slots = { room: FIRST_ROOM, underWay: new Set(), isStalled: false }));
    }
    return slots;
  }
}
