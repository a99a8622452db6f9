/** Maximum number of entries of one generation. */
const MAX_YOUNG_ENTRIES = 500;

/**
 * Cache with two generations. An entry is evicted if it was not read during a whole generation, so that values that
 * occur only once do not displace common first names and companies.
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

  /** @returns the value */
  keep(key: string, value: V): V {
    if (this.young.size >= MAX_YOUNG_ENTRIES) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }
}
