import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasTooManyNames } from './json-shape.js';

const names = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('names in a JSON text', () => {
  it('are counted over all objects, whatever stands in texts', () => {
    expect(hasTooManyNames(bytes(names(5000)))).toBe(false);
    expect(hasTooManyNames(bytes(names(5001)))).toBe(true);
    expect(hasTooManyNames(bytes(`[${Array(5001).fill('{"a" : 1}').join(',')}]`))).toBe(true);
    expect(hasTooManyNames(bytes(JSON.stringify({ content: '\\":":\\\\"'.repeat(10_000), lines: Array(10_000).fill('a:"b":c\\') })))).toBe(false);
  });

  it('are counted in any JSON', () => {
    const count = (value: unknown): number => (typeof value !== 'object' || value === null ? 0 : Object.values(value).reduce<number>((sum, part) => sum + count(part), Array.isArray(value) ? 0 : Object.keys(value).length));
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const wrapped = [value, names(0)];
      expect(hasTooManyNames(bytes(JSON.stringify([...wrapped, JSON.parse(names(5000 - count(value)))])))).toBe(false);
      expect(hasTooManyNames(bytes(JSON.stringify([...wrapped, JSON.parse(names(5001 - count(value)))])))).toBe(true);
    }), { numRuns: 20 });
  });

  it('are counted in no time', () => {
    const start = performance.now();
    for (const text of [names(300_000), '"'.repeat(4_000_000), '\\'.repeat(4_000_000), `"${':'.repeat(4_000_000)}`]) hasTooManyNames(bytes(text));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
