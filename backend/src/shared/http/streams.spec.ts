import { describe, expect, it } from '@jest/globals';
import { csvLines } from './streams.js';

describe('a CSV line', () => {
  it('quotes what has to be quoted', () => {
    expect(csvLines([['a', 'b,c', 'say "hi"', 'two\nlines', null, 3]])).toBe('a,"b,c","say ""hi""","two\nlines",,3\r\n');
  });

  it.each(['=cmd()@x', '+1@x.test', '-2', '@sum', '\tx', '\rx'])('defuses %j', (cell) => {
    expect(csvLines([[cell]])).toBe(`"'${cell}"\r\n`);
  });
});
