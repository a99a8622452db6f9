import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { streamOf } from './pieces.js';
import type { TextEncoding } from './record-source.js';
import { decoded } from './text-encoding.js';
import { linesOf } from './text-lines.js';

const LONGEST = 1_000;

async function linesIn(bytes: Buffer, size: number, encoding: TextEncoding, longest = LONGEST): Promise<string[]> {
  const pieces = {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + Math.min(length, size)),
  };
  const found: string[] = [];
  for await (const line of linesOf(decoded(streamOf(pieces), encoding), longest)) found.push(line);
  return found;
}

const ENCODED: Record<TextEncoding, (text: string) => Buffer> = {
  utf8: (text) => Buffer.from(text),
  utf16le: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  utf16be: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  windows1252: (text) => Buffer.from(text, 'latin1'),
};
const encodings = fc.constantFrom(...(Object.keys(ENCODED) as TextEncoding[]));

describe('lines of a text', () => {
  it('are the same wherever the bytes are split', async () => {
    const clean = (text: string) => text.replace(/[\r\n"\uFEFF\p{Cs}]/gu, '').trim();
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map(clean);
    const latin = fc
      .array(fc.integer({ min: 0xa0, max: 0xff }), { maxLength: 12 })
      .map((codes) => clean(String.fromCharCode(...codes)));
    await fc.assert(
      fc.asyncProperty(
        encodings.chain((encoding) =>
          fc.tuple(fc.constant(encoding), fc.array(encoding === 'windows1252' ? latin : line, { maxLength: 20 })),
        ),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        async ([encoding, lines], end, size) => {
          const found = await linesIn(ENCODED[encoding](lines.join(end)), size, encoding);
          const wanted = [...lines];
          while (found.at(-1) === '') found.pop();
          while (wanted.at(-1) === '') wanted.pop();
          expect(found).toEqual(wanted);
        },
      ),
      { numRuns: 400, examples: [[['utf8', ['', '']], '\n', 1]] },
    );
  });

  it('end at every kind of line end in a mixed file, wherever the bytes are split', async () => {
    const part = fc.constantFrom('a', '\u00e9', '\r', '\n', '\r\n', '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 30 }),
        encodings,
        fc.integer({ min: 1, max: 5 }),
        async (parts, encoding, size) => {
          const text = parts.join('');
          const wanted = text.split(/\r\n|\r|\n/);
          if (wanted.at(-1) === '') wanted.pop();
          expect(await linesIn(ENCODED[encoding](text), size, encoding)).toEqual(wanted);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('have no byte order marks at their beginnings, also where files were concatenated', async () => {
    for (const encoding of ['utf8', 'utf16le', 'utf16be'] as const)
      for (const size of [1, 2, 3, 64])
        expect(await linesIn(ENCODED[encoding]('\uFEFF"a"\n\uFEFF"b"\n\uFEFF'), size, encoding)).toEqual([
          '"a"',
          '"b"',
        ]);
  });

  it('are truncated where they are too long, without affecting the next line', async () => {
    for (const size of [1, 7, 64 * 1024])
      expect(await linesIn(Buffer.from(`${'x'.repeat(5_000)}\r\nnext`), size, 'utf8', 10)).toEqual([
        'x'.repeat(10),
        'next',
      ]);
  });
});
