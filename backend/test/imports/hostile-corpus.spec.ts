import { describe, expect, it } from '@jest/globals';
import { type CellValue, workbookOf } from '../kit/workbooks.js';
import { guessColumns } from '../../src/modules/lists/imports/judging/column-guess.js';
import { REASON_TEXTS } from '../../src/modules/lists/imports/judging/groups.js';
import { judgeRow, judgingPlan } from '../../src/modules/lists/imports/judging/judge-row.js';
import { openSource } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';
import { surveySheet } from '../../src/modules/lists/imports/reading/survey.js';

const ROWS = 10_000;
/** Address cells. All but one must be left out. */
const ADDRESSES = [
  'person{n}@acme-staffing.com',
  'not an address',
  '=cmd()',
  '=HYPERLINK("http://evil.example";"x")',
  `${'x'.repeat(300)}@acme-staffing.com`,
  'per\0son{n}@acme-staffing.com',
  'per\u202eson{n}@acme-staffing.com',
  'per😀son{n}@acme-staffing.com',
  'person{n}@@acme-staffing.com',
  'person{n}@acme',
  'no-reply@company{n}.example',
  'person{n}@mailinator.com',
  '<script>alert(1)</script>@acme-staffing.com',
  'person{n}@acme-staffing.com\r\nBcc: x@evil.example',
  '',
];
const NAMES = [
  'Ann Lee',
  '<script>alert(1)</script>',
  '\u202eeeL nnA',
  '=1+1',
  'Ann\0Lee',
  '😀 Zoë',
  'x'.repeat(5_000),
];

/**
 * Rows with a cell beyond the size limit of a record. Rows with a quoted line end are exempt, because in a CSV such a
 * row would count as two lines.
 */
const isLong = (n: number) => n % 997 === 0 && n % ADDRESSES.length !== 13;
const rowOf = (n: number) => [
  ADDRESSES[n % ADDRESSES.length]!.replace('{n}', String(n)),
  NAMES[n % NAMES.length]!,
  isLong(n) ? 'y'.repeat(70_000) : 'Acme',
];

/** Reads a file and judges its rows, as an import does. */
async function judged(file: Buffer) {
  const source = await openSource(piecesOf(file));
  const survey = await surveySheet(source);
  const targets = (await guessColumns(survey, [])).map(({ target }) => target);
  const plan = judgingPlan({ targets, fields: [], uses1904: null, ownDomains: [], roles: 'keep' });
  const lines = new Map<number, { refused: string | null; cells: number }>();
  let isHeader = survey.hasHeader;
  for await (const batch of source.records())
    for (const record of batch) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      const row = judgeRow(record, plan);
      expect(lines.has(row.line)).toBe(false);
      if (row.refused !== null) expect(REASON_TEXTS[row.refused]).toEqual(expect.any(String));
      else expect(row.address).not.toBeNull();
      expect(JSON.stringify(record.cells)).not.toContain('\\u0000');
      lines.set(row.line, { refused: row.refused, cells: record.cells.length });
    }
  await source.close();
  return { targets, lines };
}

/** The expected outcome of a row: the reason why it is left out, or null. */
function wantedOf(n: number): string | null {
  if (isLong(n)) return 'unreadable';
  const address = n % ADDRESSES.length;
  return address === 0 ? null : address === 10 ? 'list_address' : address === 11 ? 'disposable' : 'invalid';
}
const wanted = Array.from({ length: ROWS }, (_, n) => wantedOf(n));

describe('a hostile file of 10,000 rows', () => {
  it('as CSV reports every line with its number and a reason', async () => {
    const ends = ['\n', '\r\n', '\r'];
    const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    const text = Array.from({ length: ROWS }, (_, n) => rowOf(n).map(quoted).join(',') + ends[n % 3]!).join('');
    const { targets, lines } = await judged(Buffer.from(`\uFEFFEmail,Name,Company\n${text}`));
    expect(targets).toEqual(['email', 'name', 'company']);
    expect([...lines.values()].map(({ refused }) => refused)).toEqual(wanted);
  });

  it('as CSV with unclosed quotes loses no other line', async () => {
    const text = Array.from({ length: 1_000 }, (_, n) =>
      n % 50 === 7 ? `"open${n}@b.co,Ann` : `person${n}@acme-staffing.com,Ann`,
    );
    const { lines } = await judged(Buffer.from(`Email,Name\n${text.join('\n')}\n`));
    expect(lines.size).toBe(1_000);
    expect([...lines].filter(([, { refused }]) => refused === null)).toHaveLength(980);
    expect(lines.get(9)).toMatchObject({ refused: 'invalid' });
  });

  it('as a workbook reports every row with its number and a reason', async () => {
    // XML allows no NUL and no line end in an attribute, and Excel writes neither.
    const rows = function* (): Generator<CellValue[], void, void> {
      yield ['Email', 'Name', 'Company'];
      for (let n = 0; n < ROWS; n += 1) yield rowOf(n).map((cell) => cell.replaceAll('\0', '\uFFFD'));
    };
    const file = await workbookOf([
      { name: 'Secret', state: 'hidden', rows: [['Email'], ['hidden@acme-staffing.com']] },
      { name: 'People', rows: rows(), after: '<mergeCells count="1"><mergeCell ref="B2:C2"/></mergeCells>' },
    ]);
    const { targets, lines } = await judged(file);
    expect(targets).toEqual(['email', 'name', 'company']);
    expect([...lines.keys()]).toEqual(Array.from({ length: ROWS }, (_, n) => n + 2));
    expect([...lines.values()].map(({ refused }) => refused)).toEqual(wanted);
  });
});
