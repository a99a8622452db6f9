import { describe, expect, it } from '@jest/globals';
import type { FieldDefinition } from '../../../contacts/index.js';
import { guessColumns } from './column-guess.js';
import { headerHash, rememberable } from './remembered-mapping.js';
import { type ColumnTarget, mappingFault, NO_EMAIL_COLUMN } from './targets.js';

const field = (key: string, label: string, type: FieldDefinition['type'] = 'text'): FieldDefinition => ({
  key,
  label,
  type,
  options: [],
});
const targetsOf = async (header: string[], fields: FieldDefinition[] = [], sampleRows: string[][] = []) =>
  (await guessColumns({ hasHeader: true, header, sampleRows }, fields)).map(({ target }) => target);
/** The columns that are imported, by header. */
const mapped = async (header: string[]) =>
  Object.fromEntries(
    (await targetsOf(header)).flatMap((target, column) => (target === 'ignore' ? [] : [[header[column]!, target]])),
  );

describe('the guess of columns', () => {
  it.each<[string, string, Record<string, ColumnTarget>]>([
    [
      'Outlook',
      'Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Business Fax,Business Phone,Home Phone,Mobile Phone,Birthday,Categories,E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,E-mail 2 Type,E-mail 2 Display Name,Notes,Web Page',
      {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        Company: 'company',
        'Job Title': 'jobTitle',
        'Business City': 'city',
        'Business State': 'region',
        'Business Country/Region': 'country',
        'Business Phone': 'phone',
        Categories: 'tags',
        'E-mail Address': 'email',
        Notes: 'note',
      },
    ],
    ['Outlook with the second address first', 'E-mail 2 Address,E-mail Address', { 'E-mail Address': 'email' }],
    [
      'Google Contacts, old',
      'Name,Given Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - City,Address 1 - Region,Organization 1 - Name,Organization 1 - Title',
      {
        Name: 'name',
        'Given Name': 'firstName',
        'Family Name': 'lastName',
        'Group Membership': 'tags',
        'E-mail 1 - Value': 'email',
        'Phone 1 - Value': 'phone',
        'Address 1 - City': 'city',
        'Address 1 - Region': 'region',
        'Organization 1 - Name': 'company',
        'Organization 1 - Title': 'jobTitle',
      },
    ],
    [
      'Google Contacts, new',
      'First Name,Last Name,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value',
      {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        'Organization Name': 'company',
        'Organization Title': 'jobTitle',
        Labels: 'tags',
        'E-mail 1 - Value': 'email',
        'Phone 1 - Value': 'phone',
      },
    ],
    [
      'LinkedIn',
      'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
      {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        'Email Address': 'email',
        Company: 'company',
        Position: 'jobTitle',
      },
    ],
    [
      'Bullhorn',
      'ID,First Name,Last Name,Client Corporation,Occupation,Email,Email Opt Out,Work Phone,Address City,Address State,Skill List,Status',
      {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        'Client Corporation': 'company',
        Occupation: 'jobTitle',
        Email: 'email',
        'Work Phone': 'phone',
        'Address City': 'city',
        'Address State': 'region',
        'Skill List': 'skills',
      },
    ],
    [
      'JobDiva',
      'CANDIDATE NAME,EMAIL,ALTERNATE EMAIL,CELL PHONE,CITY,STATE,COUNTRY',
      {
        'CANDIDATE NAME': 'name',
        EMAIL: 'email',
        'CELL PHONE': 'phone',
        CITY: 'city',
        STATE: 'region',
        COUNTRY: 'country',
      },
    ],
    [
      'Ceipal',
      'Applicant Name,Email Address,Mobile Number,Job Title,Primary Skills,City,State,Work Authorization',
      {
        'Applicant Name': 'name',
        'Email Address': 'email',
        'Mobile Number': 'phone',
        'Job Title': 'jobTitle',
        'Primary Skills': 'skills',
        City: 'city',
        State: 'region',
      },
    ],
    [
      'Greenhouse',
      'First Name,Last Name,Candidate Email,Company,Title,Tags,Candidate Email Status',
      {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        'Candidate Email': 'email',
        Company: 'company',
        Title: 'jobTitle',
        Tags: 'tags',
      },
    ],
    [
      'Lever',
      'Candidate Name,Emails,Current Company,Headline,Phones,Tags',
      {
        'Candidate Name': 'name',
        Emails: 'email',
        'Current Company': 'company',
        Headline: 'jobTitle',
        Phones: 'phone',
        Tags: 'tags',
      },
    ],
    [
      'a table with a column of its own',
      'ID,First Name,Last Name,E-mail,City',
      { 'First Name': 'firstName', 'Last Name': 'lastName', 'E-mail': 'email', City: 'city' },
    ],
    ['a second address alone', 'Name,E-mail 2 Address,Email Opt Out', { Name: 'name', 'E-mail 2 Address': 'email' }],
    [
      'misspelled names',
      'Emial Adress,Frist Name,Compnay',
      { 'Emial Adress': 'email', 'Frist Name': 'firstName', Compnay: 'company' },
    ],
  ])('knows the headers of %s', async (_what, header, wanted) => {
    expect(await mapped(header.split(','))).toEqual(wanted);
  });

  it('never assigns a target to a column beside the address column', async () => {
    for (const header of [
      'E-mail 1 - Label',
      'E-mail Type',
      'Email Status',
      'Email Opt In',
      'Last Email Date',
      'Company Name for Emails',
      'Home Address',
      'Work Address',
      'Office Address',
      'Street Address',
      'Postal Address',
      'Mailing Address',
      'Billing Address',
      'Full Address',
      'Address 1',
      'Web Address',
      'Phone',
    ])
      expect(await targetsOf([header])).not.toContain('email');
    expect(mappingFault(await targetsOf(['Name', 'Home Address', 'Email Status']), [])).toBe(NO_EMAIL_COLUMN);
    expect(mappingFault(await targetsOf(['Phone', 'City']), [])).toBe(NO_EMAIL_COLUMN);
  });

  it('keeps the first of two columns with one target', async () => {
    expect(await targetsOf(['Email', 'E-mail', 'Phone', 'Mobile'])).toEqual(['email', 'ignore', 'phone', 'ignore']);
  });

  it("prefers the account's own fields by their labels", async () => {
    const fields = [field('visa', 'Visa Status'), field('title', 'Position')];
    expect(await targetsOf(['Email', 'VISA status', 'position'], fields)).toEqual([
      'email',
      'field.visa',
      'field.title',
    ]);
  });

  it('looks at the values where a header says nothing', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => [
      `Ann <p${n}@b.co>`,
      `(512) 555-01${String(n).padStart(2, '0')}`,
      n % 3 ? 'TX' : 'Oklahoma',
      `${(n % 12) + 1}/15/2026`,
      'words',
    ]);
    const header = ['A', 'B', 'C', 'D', 'E'];
    expect(await targetsOf(header, [field('start', 'Starts', 'date')], rows)).toEqual([
      'email',
      'phone',
      'region',
      'field.start',
      'ignore',
    ]);
    expect((await targetsOf(header, [field('start', 'Starts', 'date'), field('end', 'Ends', 'date')], rows))[3]).toBe(
      'ignore',
    );
  });

  it('takes lines without a header as address and name', async () => {
    const guess = await guessColumns(
      { hasHeader: false, header: ['Column 1', 'Column 2'], sampleRows: [['a@b.co', 'Ann'], ['c@d.co']] },
      [],
    );
    expect(guess).toEqual([
      { target: 'email', from: 'guessed' },
      { target: 'name', from: 'guessed' },
    ]);
  });

  it('follows what was chosen for the same headers before, in whatever order', async () => {
    const header = ['Email', 'Tier', 'Old'];
    const remembered = rememberable(header, ['email', 'field.tier', 'ignore']);
    const other = ['tier', 'OLD', 'e-mail'.replace('-', '')];
    expect(headerHash(other)).toBe(headerHash(header));
    expect(headerHash(['Email'])).not.toBe(headerHash(header));
    const guess = await guessColumns(
      { hasHeader: true, header: other, sampleRows: [] },
      [field('tier', 'Tier')],
      remembered,
    );
    expect(guess).toEqual([
      { target: 'field.tier', from: 'remembered' },
      { target: 'ignore', from: 'remembered' },
      { target: 'email', from: 'remembered' },
    ]);
    // A column whose field was deleted is guessed again.
    expect((await guessColumns({ hasHeader: true, header: other, sampleRows: [] }, [], remembered))[0]).toEqual({
      target: 'ignore',
      from: null,
    });
  });

  it('reports what is wrong with a mapping', () => {
    expect(mappingFault(['email', 'field.tier'], [{ key: 'tier' }])).toBeNull();
    expect(mappingFault(['name'], [])).toBe(NO_EMAIL_COLUMN);
    expect(mappingFault(['email', 'name', 'name'], [])).toMatch(/Two columns/);
    expect(mappingFault(['email', 'field.__proto__'], [{ key: 'tier' }])).toMatch(/no field/);
    expect(mappingFault(['email', 'constructor'], [])).toMatch(/no field/);
  });
});
