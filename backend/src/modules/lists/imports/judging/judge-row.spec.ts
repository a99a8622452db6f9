import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ONE_LINE } from '../../../../shared/text/one-line.js';
import type { FieldDefinition } from '../../../contacts/index.js';
import { judgeRow, type JudgingOptions, judgingPlan } from './judge-row.js';
import type { ColumnTarget } from './targets.js';

const plan = (more: Partial<JudgingOptions> = {}) =>
  judgingPlan({ targets: ['email', 'name'], fields: [], uses1904: null, ownDomains: [], roles: 'keep', ...more });
const valuesOf = (given: Partial<Record<ColumnTarget, string>>, more: Partial<JudgingOptions> = {}) => {
  const targets: ColumnTarget[] = ['email', ...(Object.keys(given) as ColumnTarget[])];
  return judgeRow(
    { line: 1, cells: ['ann@acme-staffing.com', ...Object.values(given as Record<string, string>)] },
    plan({ targets, header: targets, ...more }),
  );
};

describe('the values of a row', () => {
  it.each([
    ['Lee, Ann', 'Ann Lee', 'Ann', 'Lee'],
    ['LEE, ANN', 'Ann Lee', 'Ann', 'Lee'],
    ['Dr. Ann Lee, PMP', 'Ann Lee', 'Ann', 'Lee'],
    ['ann lee', 'Ann Lee', 'Ann', 'Lee'],
    ['Ann Mary Lee', 'Ann Mary Lee', 'Ann', 'Lee'],
    ['Ludwig van Beethoven', 'Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Acme Staffing LLC', 'Acme Staffing LLC', null, null],
    ['', null, null, null],
  ])('clean a name: %s', (name, whole, firstName, lastName) => {
    expect(valuesOf({ name }).values).toMatchObject({ name: whole, firstName, lastName });
  });

  it('read an export with several addresses in a cell, and columns that go nowhere', () => {
    const targets: ColumnTarget[] = ['firstName', 'ignore', 'lastName', 'tags', 'ignore', 'email'];
    const cells = ['Ann', 'B', 'Lee', '* myContacts', 'Work', ' ann@acme-staffing.com ::: lee@acme-staffing.com'];
    expect(judgeRow({ line: 1, cells }, plan({ targets }))).toMatchObject({
      refused: null,
      address: { norm: 'ann@acme-staffing.com' },
      values: { name: 'Ann Lee', firstName: 'Ann', lastName: 'Lee', tags: [] },
    });
  });

  it('take the name of the address cell where there is no other', () => {
    expect(judgeRow({ line: 1, cells: ['"Lee, Ann" <ann@acme-staffing.com>'] }, plan()).values.name).toBe('Ann Lee');
    expect(judgeRow({ line: 1, cells: ['Ann <ann@acme-staffing.com>', 'Bob Roe'] }, plan()).values.name).toBe(
      'Bob Roe',
    );
    expect(valuesOf({ firstName: 'Ann', lastName: 'Lee' }).values).toMatchObject({
      name: 'Ann Lee',
      firstName: 'Ann',
      lastName: 'Lee',
    });
  });

  it('read places, phones and lists', () => {
    const { values, misfits } = valuesOf({
      company: ' Acme\u202e\tStaffing ',
      phone: '(512) 555-0142',
      city: 'Austin',
      region: 'TX',
      country: 'United States',
      timeZone: 'Central Time',
      skills: 'Java, Spring Boot; AWS',
      tags: '* myContacts ::: * vendors ::: tier 1',
      note: 'first\r\nsecond\u0000',
    });
    expect(misfits).toEqual([]);
    expect(values).toMatchObject({
      company: 'Acme Staffing',
      phone: '(512) 555-0142',
      phoneE164: '+15125550142',
      country: 'US',
      timeZone: 'America/Chicago',
      skills: ['Java', 'Spring Boot', 'AWS'],
      tags: ['vendors', 'tier 1'],
      note: 'first\nsecond',
    });
  });

  it.each([
    ['Eastern Time', 'America/New_York'],
    ['CDT', 'America/Chicago'],
    ['IST', 'Asia/Kolkata'],
    ['GMT', 'UTC'],
    ['BST', 'Europe/London'],
    ['Europe/London', 'Europe/London'],
  ])('read %s as the time zone %s', (typed, zone) => {
    expect(valuesOf({ timeZone: typed }).values.timeZone).toBe(zone);
  });

  it('keep a phone that cannot be read', () => {
    expect(valuesOf({ phone: 'call me' })).toMatchObject({
      misfits: [],
      values: { phone: 'call me', phoneE164: null },
    });
  });

  const fields: FieldDefinition[] = [
    { key: 'rate', label: 'Rate', type: 'number', options: [] },
    { key: 'since', label: 'Since', type: 'date', options: [] },
    { key: 'remote', label: 'Remote', type: 'yes_no', options: [] },
    { key: 'tier', label: 'Tier', type: 'choice', options: ['Gold', 'Silver'] },
    { key: 'langs', label: 'Languages', type: 'choices', options: ['English', 'Spanish, Latin'] },
    { key: 'page', label: 'Page', type: 'url', options: [] },
  ];
  it("are converted to the types of the account's fields", () => {
    const { values, misfits, marks } = valuesOf(
      {
        'field.rate': '$1,250.50',
        'field.since': '11/23/2026',
        'field.remote': 'Y',
        'field.tier': 'gold',
        'field.langs': 'english',
        'field.page': 'www.linkedin.com/in/ann',
      },
      { fields },
    );
    expect(misfits).toEqual([]);
    expect(marks).toEqual([]);
    expect(values.fields).toEqual({
      rate: 1250.5,
      since: '2026-11-23',
      remote: true,
      tier: 'Gold',
      langs: ['English'],
      page: 'https://www.linkedin.com/in/ann',
    });
  });

  it('that do not fit are left out and named by their columns', () => {
    const judged = valuesOf(
      {
        'field.rate': '12 to 15',
        'field.since': '2026-02-30',
        'field.remote': 'perhaps',
        'field.tier': 'Bronze',
        'field.page': 'javascript:alert(1)',
        company: 'x'.repeat(201),
        country: 'Atlantis',
      },
      { fields },
    );
    expect(judged.misfits).toEqual([
      'field.rate',
      'field.since',
      'field.remote',
      'field.tier',
      'field.page',
      'company',
      'country',
    ]);
    expect(judged).toMatchObject({
      refused: null,
      marks: ['misfit'],
      values: { company: null, country: null, fields: {} },
    });
  });

  it.each([
    ['2026-11-23', null, '2026-11-23'],
    ['2026-11-23T10:00:00Z', null, '2026-11-23'],
    ['23.11.2026', null, '2026-11-23'],
    ['23/11/2026', null, '2026-11-23'],
    ['11/3/26', null, '2026-11-03'],
    ['Nov 23, 2026', null, '2026-11-23'],
    ['23-Nov-2026', null, '2026-11-23'],
    ['45983', false, '2025-11-22'],
    ['45983', null, undefined],
    ['44521', true, '2025-11-22'],
    ['1', false, '1900-01-01'],
    ['59', false, '1900-02-28'],
    ['60', false, undefined],
    ['61', false, '1900-03-01'],
    ['0', true, '1904-01-01'],
    ['99999999', false, undefined],
  ])('read the date %s', (cell, uses1904, date) => {
    expect(valuesOf({ 'field.since': cell }, { fields, uses1904 }).values.fields['since']).toBe(date);
  });

  it('are storable and bounded, whatever the row', () => {
    const targets: ColumnTarget[] = [
      'email',
      'name',
      'company',
      'phone',
      'country',
      'timeZone',
      'skills',
      'tags',
      'note',
      'field.rate',
      'field.tier',
    ];
    const judge = plan({ targets, fields });
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '__proto__',
        'constructor',
        "'; drop table",
        '<script>',
        '=cmd()',
        'A\u202enn \u200bL\u2066ee',
        '\ufeff\u200f',
      ),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 12 }), (cells) => {
        const judged = judgeRow(
          { line: 1, cells: cells.map((text) => text.replaceAll('\0', '\uFFFD').toWellFormed()) },
          judge,
        );
        const { name, firstName, lastName, company, skills, tags } = judged.values;
        for (const text of [judged.email, name, firstName, lastName, company, ...skills, ...tags])
          expect(text ?? '').toMatch(ONE_LINE);
        expect(judged.email.length).toBeLessThanOrEqual(320);
        expect(JSON.parse(JSON.stringify(judged.values))).toEqual(judged.values);
      }),
      { numRuns: 200 },
    );
  });
});
