import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DOCUMENT_NAMES, hasTooManyNames, isWithinShape } from './json-shape.js';

const names = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('the shape of a body', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

  it('allows longer lists in its document only', () => {
    const long = Array.from({ length: 5_000 }, () => ({}));
    expect(isWithinShape({ document: { content: long } }, { document: 'document' })).toBe(true);
    expect(isWithinShape({ document: { content: long } })).toBe(false);
    expect(isWithinShape({ other: long, document: {} }, { document: 'document' })).toBe(false);
    expect(isWithinShape({ document: { content: [...long, ...long, {}] } }, { document: 'document' })).toBe(false);
  });

  it('applies the limits of depth, keys and texts to its document too', () => {
    const wide = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k${n}`, 1]));
    for (const document of [nested(32), wide, [wide], ['\0'], { ['k'.repeat(201)]: 1 }])
      expect(isWithinShape({ document }, { document: 'document' })).toBe(false);
    expect(isWithinShape({ document: nested(31) }, { document: 'document' })).toBe(true);
    expect(isWithinShape({ document: nested(31) })).toBe(true);
  });
});

describe('names in a JSON text', () => {
  it('may be more than elsewhere where a document is accepted, but their number is limited there too', () => {
    const text = names(DOCUMENT_NAMES);
    expect(hasTooManyNames(bytes(text), DOCUMENT_NAMES)).toBe(false);
    expect(hasTooManyNames(bytes(names(DOCUMENT_NAMES + 1)), DOCUMENT_NAMES)).toBe(true);
  });

  it('are counted over all objects, ignoring the content of strings', () => {
    expect(hasTooManyNames(bytes(names(5000)))).toBe(false);
    expect(hasTooManyNames(bytes(names(5001)))).toBe(true);
    expect(hasTooManyNames(bytes(`[${Array(5001).fill('{"a" : 1}').join(',')}]`))).toBe(true);
    expect(
      hasTooManyNames(
        bytes(JSON.stringify({ content: '\\":":\\\\"'.repeat(10_000), lines: Array(10_000).fill('a:"b":c\\') })),
      ),
    ).toBe(false);
  });

  it('are counted in any JSON', () => {
    const count = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 0
        : Object.values(value).reduce<number>(
            (sum, part) => sum + count(part),
            Array.isArray(value) ? 0 : Object.keys(value).length,
          );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const wrapped = [value, names(0)];
        expect(hasTooManyNames(bytes(JSON.stringify([...wrapped, JSON.parse(names(5000 - count(value)))])))).toBe(
          false,
        );
        expect(hasTooManyNames(bytes(JSON.stringify([...wrapped, JSON.parse(names(5001 - count(value)))])))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('are counted in one pass that stops at the first name above the limit', () => {
    const readsOf = (text: string, most: number): [isRefused: boolean, reads: number] => {
      const json = bytes(text);
      let reads = 0;
      const counted = new Proxy(json, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(target, key, target) as unknown;
        },
      });
      return [hasTooManyNames(counted, most), reads];
    };
    for (const text of [names(2_000), '"'.repeat(20_000), '\\'.repeat(20_000), `"${':'.repeat(20_000)}`]) {
      const [isRefused, reads] = readsOf(text, 5_000);
      expect(isRefused).toBe(false);
      expect(reads).toBeLessThanOrEqual(text.length);
    }
    const [isRefused, reads] = readsOf(names(300_000), 5_000);
    expect(isRefused).toBe(true);
    expect(reads).toBeLessThanOrEqual(names(5_001).length);
  });
});
