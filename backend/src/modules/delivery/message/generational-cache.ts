/** Maximum number of entries in one generation. */
const MAX_YOUNG_ENTRIES = 500;

/**
 * Cache with two generations. An entry that is not read during a whole generation is evicted, so that values that occur
 * only once do not displace frequent ones, such as common first names and companies.
 */
export class GenerationalCache<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  get(key: string): V | undefined {
    const known = this.young.get(key);
    if (known !== undefined) return known;
    const older = this.old.get(key);
    return older === undefined ? undefined : this.keep(key, older);
  }

  /** Stores a value. @returns the value */
  keep(key: string, value: V): V {
    if (this.young.size >= MAX_YOUNG_ENTRIES) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }
}
