/** The caller that a password is hashed for. */
export type HashCaller =
  /** An unknown caller, identified by network. */
  | { network: string }
  /** An account on a known device, or one that just signed in. */
  | { knownAccount: string }
  /** Work that no request waits for. */
  | 'background';

/** Maximum queue length. More would wait for seconds; those callers get 429 instead. */
const MAX_WAITING_HASHES = 100;
/** Known devices have priority, but only this many in a row, because an attacker can create accounts too. */
const MAX_KNOWN_IN_A_ROW = 3;

/** Round robin between callers; first in, first out for each caller. */
class FairQueue<T> {
  private readonly waiting = new Map<string, T[]>();
  private size = 0;

  /**
   * Appends work to its caller's queue. When full, drops the newest work of the caller with the most, if that has more
   * than the new caller would have, so that capacity is shared equally.
   * @returns the dropped work, which may be the new one
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
    // Re-inserts at the end: a Map iterates in insertion order.
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

/** Orders password hashing: known devices before other networks, each by round robin, background work last. */
export class HashQueue<T> {
  private readonly known = new FairQueue<T>();
  private readonly others = new FairQueue<T>();
  private readonly background = new FairQueue<T>();
  private knownInARow = 0;

  /** @returns the dropped work, which may be the new one */
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
