import { describe, expect, it } from '@jest/globals';
import type { ImportRecord } from '../reading/record-source.js';
import { asLine, surveyColumns, surveyDirect } from './column-survey.js';

const recordsOf = (...rows: string[][]): ImportRecord[] => rows.map((cells, at) => ({ line: at + 1, cells }));
const options = { fields: [], remembered: async () => null };

describe('the columns of a file', () => {
  it('are named by the first row only where that row contains no address', async () => {
    expect((await surveyColumns(recordsOf(['a@x.example', 'Ann']), options)).hasHeader).toBe(false);
    const named = await surveyColumns(recordsOf(['ID', 'E-mail'], ['7', 'a@x.example']), options);
    expect(named).toMatchObject({
      hasHeader: true,
      columns: [
        { header: 'ID', target: 'ignore', samples: ['7'] },
        { header: 'E-mail', target: 'email', samples: ['a@x.example'] },
      ],
    });
  });

  it('have labels that a field may have, without invisible characters and direction marks', async () => {
    const { columns } = await surveyColumns(
      recordsOf(['Email', '\u202eraT\u200b\tget ', '\u2066\ufeff'], ['a@x.example', '1', '2']),
      options,
    );
    expect(columns.map(({ header }) => header)).toEqual(['Email', 'raT get', 'Column 3']);
  });

  it('of a direct import are address and name where no header names them', async () => {
    for (const rows of [
      recordsOf(['a@x.example', 'Lee', 'Ann']),
      recordsOf(['Phone', 'City'], ['1', 'Austin']),
      recordsOf(['Name', 'Home Address', 'Email Status'], ['Ann', '1 Main St', 'fine']),
    ])
      expect(await surveyDirect(rows, options, true)).toMatchObject({
        hasHeader: false,
        columns: [{ target: 'email' }, { target: 'name' }],
      });
    expect(asLine({ line: 1, cells: ['a@x.example', 'Lee', '', 'Ann'] })).toEqual({
      line: 1,
      cells: ['a@x.example', 'Lee, Ann'],
    });
  });
});
