import { describe, expect, it } from '@jest/globals';
import { yieldsDuring } from '../kit/event-loop-yields.js';
import { CELLS } from '../kit/samples/hostile-texts.js';
import { TEXT_PARSERS } from '../kit/samples/text-parsers.js';
import { openSource } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';

describe('an import yields to other work of the process', () => {
  const PEOPLE = 5_000;
  it.each(Object.entries({ recipients: 'a@x;', list: 'a@x,', lines: 'a@x\n' }))(
    'after each person of a paste: %s',
    async (_kind, unit) => {
      let read = 0;
      const yields = await yieldsDuring(async () => {
        const source = await openSource(piecesOf(unit.repeat(PEOPLE)), { pasted: true });
        for await (const batch of source.records()) read += batch.length;
      });
      expect(read).toBe(PEOPLE);
      expect(yields).toBeGreaterThanOrEqual(PEOPLE);
    },
  );

  it.each(Object.entries({ rows: 'a@b.test,Ann\n', blanks: '\n' }))(
    'after each line of a file: %s',
    async (_kind, unit) => {
      const yields = await yieldsDuring(async () => {
        const source = await openSource(piecesOf(unit.repeat(PEOPLE)));
        for await (const _batch of source.records());
      });
      expect(yields).toBeGreaterThanOrEqual(PEOPLE);
    },
  );

  const COLUMNS = 200;
  /** Comparisons per column: four of its name and one of its content. */
  const LOOKS = 5;
  it.each(Object.keys(CELLS))('after each check of one of 200 columns: %s', async (kind) => {
    const guess = TEXT_PARSERS['the columns of an import']!.kinds[kind]!(COLUMNS);
    expect(await yieldsDuring(async () => void (await guess()))).toBeGreaterThanOrEqual(LOOKS * COLUMNS);
  });
});
