/** The caller for whom a password is hashed. */
export type HashCaller =
  /** An unknown caller, identified by the network. */
  | { network: string }
  /** An account on a known device, or one that just signed in. */
  | { knownAccount: string }
  /** Work that no request waits for. */
  | 'background';

/** Maximum length of each queue. Further callers would wait for seconds; they get 429 instead. */
const MAX_WAITING_HASHES = 100;
/**
 * Maximum number of known devices that go first in a row. An attacker can create accounts, too, so others must get a
 * turn.
 */
const MAX_KNOWN_IN_A_ROW = 3;

/** Queue in which callers take turns. Work of the same caller is first in, first out. */
class FairQueue<T> {
  private readonly waiting = new Map<string, T[]>();
  private size = 0;

  /**
   * Appends work to its caller's queue. If the queue is full, drops the newest work of the caller with the most work,
   * unless the new caller would then have as much, so that the callers share the capacity equally.
   * @returns the dropped work, which may be the new work
   */
  add(caller: string, work: T): T | undefined {
    const dropped = this.size < MAX_WAITING_HASHES ? undefined : this.dropFor(caller);
    if (this.size >= MAX_WAITING_HASHES) return work;
    const own = this.waiting.get(caller);
    if (own) own.push(work);
    else this.waiting.set(caller, [work]);
    this.size += 1;
    return dropped;
  }

  next(): T | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [caller, works] = first;
    const work = works.shift();
    // Re-inserts the caller at the end, because a Map iterates in insertion order.
    this.waiting.delete(caller);
    if (works.length > 0) this.waiting.set(caller, works);
    this.size -= 1;
    return work;
  }

  private dropFor(newcomer: string): T | undefined {
    let largest: T[] = [];
    for (const works of this.waiting.values()) if (works.length > largest.length) largest = works;
    if (largest.length <= (this.waiting.get(newcomer)?.length ?? 0) + 1) return undefined;
    this.size -= 1;
    return largest.pop();
  }
}

/**
 * Orders password hashing: known devices first, then other networks, background work last. The callers of each group
 * take turns.
 */
export class HashQueue<T> {
  private readonly known = new FairQueue<T>();
  private readonly others = new FairQueue<T>();
  private readonly background = new FairQueue<T>();
  private knownInARow = 0;

  /** @returns the dropped work, which may be the new work */
  add(work: T, caller: HashCaller): T | undefined {
    if (caller === 'background') return this.background.add('', work);
    return 'network' in caller ? this.others.add(caller.network, work) : this.known.add(caller.knownAccount, work);
  }

  next(): T | undefined {
    const overdue = this.knownInARow >= MAX_KNOWN_IN_A_ROW ? this.others.next() : undefined;
    if (overdue !== undefined) this.knownInARow = 0;
    const known = overdue ?? this.known.next();
    if (overdue === undefined && known !== undefined) this.knownInARow += 1;
    return known ?? this.others.next() ?? this.background.next();
  }
}
