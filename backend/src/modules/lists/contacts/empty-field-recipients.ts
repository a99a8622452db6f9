type Direction = 'next' | 'previous';
/** Reads addresses after or before `from`; if `from` is null, the first ones. */
type ReadAddresses = (from: string | null, way: Direction, limit: number) => Promise<string[]>;

/** Cached result of a query: the addresses of the first recipients with an empty field, in order. */
interface Known {
  addresses: string[];
  placeOf: Map<string, number>;
  isComplete: boolean;
  at: number;
}

const READ_AT_ONCE = 500;
const KEPT_QUERIES = 50;
const CACHE_MS = 5 * 60_000;
const MAX_CACHED_ADDRESSES = 5_000;

/** Caches which recipients have an empty field, because finding the next one may read a whole list. */
export class EmptyFieldRecipients {
  private readonly known = new Map<string, Known>();

  async neighbour(query: string, from: string | null, way: Direction, read: ReadAddresses): Promise<string | null> {
    const known = this.of(query);
    const place = from === null ? -1 : known.placeOf.get(from);
    if (place === undefined) return (await read(from, way, 1))[0] ?? null;
    if (way === 'previous') return from === null ? null : (known.addresses[place - 1] ?? null);
    if (place + 1 === known.addresses.length && !known.isComplete) {
      if (known.addresses.length >= MAX_CACHED_ADDRESSES) return (await read(from, way, 1))[0] ?? null;
      add(known, await read(from, 'next', READ_AT_ONCE));
    }
    return known.addresses[place + 1] ?? null;
  }

  private of(query: string): Known {
    const now = Date.now();
    let known = this.known.get(query);
    if (!known || now - known.at > CACHE_MS) known = { addresses: [], placeOf: new Map(), isComplete: false, at: now };
    this.known.delete(query);
    this.known.set(query, known);
    if (this.known.size > KEPT_QUERIES) this.known.delete(this.known.keys().next().value!);
    return known;
  }
}

function add(known: Known, found: readonly string[]): void {
  for (const address of found) {
    if (known.placeOf.has(address)) continue;
    known.placeOf.set(address, known.addresses.length);
    known.addresses.push(address);
  }
  known.isComplete = found.length < READ_AT_ONCE;
}
