/** Values in one generation. */
const AT_MOST = 500;

/**
 * Cache with two generations: an entry that was not read during a whole generation is evicted. Many recipients share a first name or a
 * company; values that occur once do not displace them.
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
    if (this.young.size >= AT_MOST) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }
}
