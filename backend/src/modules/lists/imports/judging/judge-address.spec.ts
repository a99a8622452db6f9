import { describe, expect, it } from '@jest/globals';
import { judgeAddress, judgeRow, type JudgingOptions, judgingPlan } from './judge-row.js';

const plan = (more: Partial<JudgingOptions> = {}) =>
  judgingPlan({ targets: ['email', 'name'], fields: [], uses1904: null, ownDomains: [], roles: 'keep', ...more });
const groupsOf = (email: string, more: Partial<JudgingOptions> = {}) => {
  const { refused, marks } = judgeAddress(email, plan(more));
  return refused ?? (marks.join(' ') || 'fine');
};

describe('an address of a row', () => {
  it.each([
    ['ann@acme-staffing.com', 'fine'],
    ['  Ann Lee <ann@acme-staffing.com> ', 'fine'],
    ['mailto:ann@acme-staffing.com?subject=x', 'fine'],
    ['ann@acme-staffing.com ::: lee@acme-staffing.com', 'fine'],
    ['', 'invalid'],
    ['ann', 'invalid'],
    ['ann@acme', 'invalid'],
    [`${'x'.repeat(300)}@acme-staffing.com`, 'invalid'],
    ['ann\u202e@acme-staffing.com', 'invalid'],
    ['ann\uFFFD@acme-staffing.com', 'invalid'],
    ['=cmd()|a@acme-staffing.com', 'invalid'],
    ['ann@mailinator.com', 'disposable'],
    ['ann@x.mailinator.com', 'disposable'],
    ['no-reply@acme-staffing.com', 'list_address'],
    ['noreply@acme-staffing.com', 'list_address'],
    ['do-not-reply@acme-staffing.com', 'list_address'],
    ['Postmaster@acme-staffing.com', 'list_address'],
    ['abuse@acme-staffing.com', 'list_address'],
    ['MAILER-DAEMON@acme-staffing.com', 'list_address'],
    ['java-vendors@googlegroups.com', 'list_address'],
    ['jobs@acme-staffing.com', 'role'],
    ['hr@acme-staffing.com', 'role'],
    ['ann@gmial.com', 'mistyped'],
    ['jobs@gmial.com', 'role mistyped'],
  ])('%j belongs to: %s', (email, group) => {
    expect(groupsOf(email)).toBe(group);
  });

  it('of a role, such as info@, is left out on request', () => {
    expect(groupsOf('jobs@acme-staffing.com', { roles: 'drop' })).toBe('role');
    expect(judgeAddress('jobs@acme-staffing.com', plan({ roles: 'drop' })).refused).toBe('role');
    expect(judgeAddress('jobs@acme-staffing.com', plan()).refused).toBeNull();
  });

  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmil.com', 'gmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['hotmial.com', 'hotmail.com'],
    ['outlok.con', 'outlook.com'],
    ['gmai.co', null],
    ['gmail.com', null],
    ['ymail.com', null],
    ['acme-staffing.com', null],
    ['acme-stafing.com', 'acme-staffing.com'],
    ['acme-stafing.con', 'acme-staffing.com'],
    ['outlook.de', null],
  ])('at the mistyped domain %s is corrected to %s', (domain, wanted) => {
    expect(judgeAddress(`ann@${domain}`, plan({ ownDomains: ['acme-staffing.com'] })).suggestion).toBe(wanted);
  });

  it('follows manual corrections and decisions on its domain', () => {
    const decided = plan({
      corrections: new Map([[7, 'lee@acme-staffing.com']]),
      domainFixes: new Map<string, { to: string } | { drop: true } | { keep: true }>([
        ['gmial.com', { to: 'gmail.com' }],
        ['gmil.com', { drop: true }],
        ['yahho.com', { keep: true }],
        ['hotmial.com', { keep: true }],
      ]),
    });
    expect(judgeRow({ line: 7, cells: ['broken'] }, decided)).toMatchObject({
      refused: null,
      email: 'lee@acme-staffing.com',
    });
    expect(judgeRow({ line: 8, cells: ['Ann@GMIAL.com'] }, decided)).toMatchObject({
      refused: null,
      marks: [],
      address: { norm: 'ann@gmail.com' },
    });
    expect(judgeRow({ line: 9, cells: ['ann@gmil.com'] }, decided)).toMatchObject({ refused: 'dropped' });
    expect(judgeRow({ line: 10, cells: ['ann@yahho.com'] }, decided)).toMatchObject({
      refused: null,
      marks: [],
      suggestion: null,
    });
    // hotmial.com is a typo, but also a provider of disposable addresses.
    expect(judgeRow({ line: 11, cells: ['ann@hotmial.com'] }, decided)).toMatchObject({ refused: 'disposable' });
  });
});
