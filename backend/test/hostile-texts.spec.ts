import { describe, expect, it } from '@jest/globals';
import { readMailReport } from '../src/modules/bounces/mail-report.js';
import { FILE_UNITS, hostileText, HOSTILE_UNITS, PASTED_UNITS, REPORT_TEXTS } from './kit/samples/hostile-texts.js';
import { messageOf, recordsOf, systemMailOf } from './kit/samples/text-parsers.js';

// `npm run bench -- --only texts` measures how processing time grows with the size of such texts.

/** Faults in a header and in a body that mail servers refuse or change. */
function faultsOf({ head, body }: { head: string; body: unknown }): string[] {
  const longestOf = (text: string) => Math.max(...text.split('\r\n').map((line) => line.length));
  return [
    ...(/^[\x20-\x7e\t\r\n]*$/.test(head) && !/\r(?!\n)|(?<!\r)\n/.test(head) ? [] : ['head']),
    ...(longestOf(head) > 998 ? ['line of the head'] : []),
    ...(longestOf(String(body)) > 76 ? ['line of the body'] : []),
  ];
}

describe('a hostile text', () => {
  it.each(Object.entries(HOSTILE_UNITS))('is sent as it was written: %s', async (_kind, unit) => {
    const content = hostileText(unit, 3_000);
    const { parts, made } = await messageOf(content);
    expect(parts.text).toContain(content.replaceAll('\r', '\n'));
    expect(faultsOf(made)).toEqual([]);
  });

  it.each(Object.entries(HOSTILE_UNITS))('makes a well-formed system mail: %s', async (_kind, unit) => {
    expect(faultsOf(await systemMailOf(hostileText(unit, 300)))).toEqual([]);
  });

  it('adds no recipient to the bounce report that contains it', async () => {
    for (const [kind, { start, unit }] of Object.entries(REPORT_TEXTS)) {
      const raw = start + unit.repeat(2_048 / unit.length);
      const report = await readMailReport(Buffer.from(raw)).catch(({ message }: Error) => message);
      const refused = 'Max allowed child nodes exceeded';
      expect([kind, report]).toEqual([kind, report === refused ? refused : expect.objectContaining({ addresses: [] })]);
    }
  });

  it.each([
    ['file', false, FILE_UNITS],
    ['pasted text', true, { ...FILE_UNITS, ...PASTED_UNITS }],
  ] as const)('hides nobody behind it in the %s of an import', async (_what, isPasted, units) => {
    for (const [kind, unit] of Object.entries(units)) {
      const records = await recordsOf(`${unit.repeat(Math.ceil(10_000 / unit.length))}\nann@b.test\n`, isPasted);
      expect([kind, records.at(-1)?.cells]).toEqual([kind, ['ann@b.test']]);
    }
  });
});
