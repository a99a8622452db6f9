import { describe, expect, it } from '@jest/globals';
import { EmptyFieldRecipients } from './empty-field-recipients.js';

/** A list in the order of the database, which differs from JavaScript's sort order. Counts the calls of `read`. */
function listOf(count: number) {
  const addresses = Array.from({ length: count }, (_, i) => `p${i}@x.test`);
  let reads = 0;
  const read = (from: string | null, way: 'next' | 'previous', limit: number): Promise<string[]> => {
    reads += 1;
    const place = from === null ? -1 : addresses.indexOf(from);
    const found = way === 'next' ? addresses.slice(place + 1) : addresses.slice(0, Math.max(place, 0)).reverse();
    return Promise.resolve(found.slice(0, limit));
  };
  return { addresses, read, reads: () => reads };
}

describe('recipients with an empty field', () => {
  it('are returned in order, with one query per 500', async () => {
    const { addresses, read, reads } = listOf(1234);
    const empties = new EmptyFieldRecipients();
    const met: string[] = [];
    for (
      let at = await empties.neighbour('q', null, 'next', read);
      at;
      at = await empties.neighbour('q', at, 'next', read)
    )
      met.push(at);
    expect(met).toEqual(addresses);
    expect(reads()).toBe(3);
    expect(await empties.neighbour('q', 'p900@x.test', 'previous', read)).toBe('p899@x.test');
    expect(await empties.neighbour('q', 'p0@x.test', 'previous', read)).toBeNull();
    expect(reads()).toBe(3);
  });

  it('are found from a position that another instance returned', async () => {
    const { read } = listOf(1234);
    const empties = new EmptyFieldRecipients();
    expect(await empties.neighbour('q', 'p1000@x.test', 'next', read)).toBe('p1001@x.test');
    expect(await empties.neighbour('q', 'p1000@x.test', 'previous', read)).toBe('p999@x.test');
  });

  it('can be all absent', async () => {
    const { read, reads } = listOf(0);
    const empties = new EmptyFieldRecipients();
    for (let i = 0; i < 3; i++) expect(await empties.neighbour('q', null, 'next', read)).toBeNull();
    expect(reads()).toBe(1);
  });
});
