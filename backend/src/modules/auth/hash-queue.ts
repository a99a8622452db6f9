/** Who a password is hashed for. */
export type HashCaller =
  /** Somebody whom we know by network only. */
  | { network: string }
  /** An account on a device that it has signed in on before, or signed in now. */
  | { knownAccount: string }
  /** Nobody waits for it. */
  | 'background';

/** Waiting hashes of a queue. More would wait for seconds; their callers are asked to come back instead. */
const MAX_WAITING = 100;
/** Known devices go first, but so many accounts can be made that they may not shut everybody else out. */
const KNOWN_IN_A_ROW = 3;

/** Round robin between callers; the work of each in the order of arrival. */
class FairQueue<T> {
  private readonly waiting = new Map<string, T[]>();
  private size = 0;

  /**
   * Adds work behind its caller's own. A full queue drops the newest work of the caller with the most, where that is more than the
   * newcomer would have: callers share the queue equally, however often each asks.
   * @returns the work that has no place, which may be the new one
   */
  add(caller: string, work: T): T | undefined {
    const dropped = this.size < MAX_WAITING ? undefined : this.dropFor(caller);
    if (this.size >= MAX_WAITING) return work;
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
    // To the back: a map keeps the order of insertion.
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

/** Orders password hashing: known devices first, then other networks, each round robin, then what nobody waits for. */
export class HashQueue<T> {
  private readonly known = new FairQueue<T>();
  private readonly others = new FairQueue<T>();
  private readonly background = new FairQueue<T>();
  private knownInARow = 0;

  /** @returns the work that has no place in the queue, which may be the new one */
  add(work: T, caller: HashCaller): T | undefined {
    if (caller === 'background') return this.background.add('', work);
    return 'network' in caller ? this.others.add(caller.network, work) : this.known.add(caller.knownAccount, work);
  }

  next(): T | undefined {
    const overdue = this.knownInARow >= KNOWN_IN_A_ROW ? this.others.next() : undefined;
    if (overdue !== undefined) this.knownInARow = 0;
    const known = overdue ?? this.known.next();
    if (overdue === undefined && known !== undefined) this.knownInARow += 1;
    return known ?? this.others.next() ?? this.background.next();
  }
}
