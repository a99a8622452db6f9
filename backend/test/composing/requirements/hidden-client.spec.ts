import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { composeRequirement } from '../../../src/modules/composing/requirements/compose-requirement.js';
import { withoutClient } from '../../../src/modules/composing/requirements/hidden-client.js';
import { emptyJob, type Job } from '../../../src/modules/composing/requirements/job.js';

const jobOf = (hiringOrganization: string, description: string, job: Partial<Job> = {}): Job => ({
  ...emptyJob(),
  hiringOrganization,
  description,
  ...job,
});
const hidden = (client: string, text: string): string | undefined => withoutClient(jobOf(client, text)).job.description;

describe('the name of a client that the post hides', () => {
  it.each([
    ['Riverbank Insurance', 'Work for Riverbank Insurance in May', 'Work for our client in May'],
    ['Riverbank Insurance', 'RIVERBANK INSURANCE hires', 'Our client hires'],
    ['Riverbank Insurance', 'riverbank insurance hires', 'Our client hires'],
    ['Riverbank Insurance Inc.', 'With Riverbank Insurance you grow', 'With our client you grow'],
    ['Riverbank Insurance', 'At Riverbank Insurance, Inc. we', 'At our client we'],
    ['Riverbank Insurance', 'This is Riverbank Insurance, LLC. It grows.', 'This is our client. It grows.'],
    ['Riverbank Insurance', 'A Riverbank Insurance Corp. site', 'Our client site'],
    ['Riverbank Insurance', 'Our client, Riverbank Insurance, is growing.', 'Our client is growing.'],
    ['Riverbank Insurance', 'for our direct client Riverbank Insurance now', 'for our client now'],
    ['Riverbank Insurance', 'Riverbank\nInsurance grows', 'Our client grows'],
    ['Riverbank Insurance', "Riverbank's architects", "Our client's architects"],
    ['Riverbank Insurance', 'One line.\n- Riverbank hires', 'One line.\n- Our client hires'],
    ['Riverbank Insurance', 'see www.riverbankinsurance.com/jobs or mail', 'see our client or mail'],
    ['Riverbank Insurance', 'mail hr@riverbank-insurance.com today', 'mail our client today'],
    ['The Riverbank Company', 'join the Riverbank team', 'join our client team'],
    ['Great Lakes Bank (GLB)', 'GLB and Great Lakes hire', 'Our client and our client hire'],
    ['Barlow & Finch', 'with Barlow and Finch or Barlow + Finch', 'with our client or our client'],
    ['AT&T', 'At AT&T or AT and T', 'At our client or our client'],
    ['Nestlé', 'by Nestle, by NESTLÉ', 'by our client, by our client'],
    ["Lowe's", "Lowes, Lowe's and Lowe\u2019s", 'Our client, our client and our client'],
    ['IBM', 'for IBM', 'for our client'],
    ['Target Corp.', 'Target Corporation has a target', 'Our client has a target'],
    ['Oracle', 'work at Oracle on Oracle databases', 'work at our client on Oracle databases'],
  ])('%s is taken out of "%s"', (client, text, expected) => expect(hidden(client, text)).toBe(expected));

  it.each([
    ['Riverbank Insurance', 'a river bank, insurance, riverbanks'],
    ['American Steel', 'an American standard in steel'],
    ['Summit Health', 'a Summit in Dallas'],
    ['Denver Water', 'in Denver, CO'],
    ['Java Partners', 'Java, Spring'],
    ['Target', 'Target date: May. A target.'],
    ['Gap', 'mind the gap'],
    ['Oracle', 'Oracle is a must'],
    ['Confidential', 'confidential data'],
    ['Direct client', 'a direct client'],
  ])('%s leaves "%s" as it is', (client, text) =>
    expect(withoutClient(jobOf(client, text))).toMatchObject({ job: { description: text }, hiddenNames: [] }),
  );

  it('is in no part of the post, and is told as it was written', () => {
    const job = jobOf('Riverbank Insurance', 'Riverbank hires.', {
      title: 'Developer at Riverbank Insurance',
      interview: 'Riverbank office',
      skills: { required: ['Java', 'Riverbank Insurance CRM'], preferred: [] },
    });
    const { subject, document, hiddenNames } = composeRequirement(job);
    expect(subject).toBe('Developer at our client');
    expect(JSON.stringify(document)).not.toMatch(/riverbank/i);
    expect(hiddenNames).toEqual(['Riverbank Insurance', 'Riverbank']);
    const shown = composeRequirement({ ...job, isClientHidden: false });
    expect(shown).toMatchObject({ subject: 'Developer at Riverbank Insurance', hiddenNames: [] });
    expect(JSON.stringify(shown.document)).toContain('Riverbank hires.');
  });

  it('is in no post, whatever the text around it and however it is written', () => {
    const cases = [
      (name: string) => name,
      (name: string) => name.toUpperCase(),
      (name: string) => name.toLowerCase(),
      (name: string) => `${name}, Inc.`,
      (name: string) => `${name} L.L.C.`,
      (name: string) => name.replace(' ', '\n'),
      (name: string) => name.replace(' ', '-'),
      (name: string) => `www.${name.replace(' ', '').toLowerCase()}.com`,
    ];
    const words = fc.constantFrom(
      'Our',
      'the',
      'client',
      'is',
      'Inc.',
      '-',
      '.',
      ',',
      '\n',
      'Java',
      '🙂',
      '&',
      'at',
      'hires',
    );
    fc.assert(
      fc.property(
        fc.constantFrom('Quillfeather Insurance', 'Zorbanix Health', 'Bramblewick Systems Inc.'),
        fc.array(fc.oneof(words, fc.constantFrom(...cases)), { maxLength: 40 }),
        (client, parts) => {
          const plain = client.replace(' Inc.', '');
          const text = parts.map((part) => (typeof part === 'string' ? part : part(plain))).join(' ');
          const post = JSON.stringify(composeRequirement(jobOf(client, text, { title: text.replaceAll('\n', ' ') })));
          const { hiddenNames: _, ...seen } = JSON.parse(post) as { hiddenNames: string[] };
          expect(JSON.stringify(seen)).not.toMatch(/quillfeather|zorbanix|bramblewick/i);
        },
      ),
    );
  });

  it('is looked for in linear time', () => {
    for (const [client, text] of [
      ['a & a & a & a & a & a & a & a', 'a && a && a '.repeat(1_600)],
      ['ab '.repeat(60), 'ab '.repeat(6_000)],
      ['x'.repeat(200), 'x'.repeat(20_000)],
      ['Riverbank', 'a.'.repeat(10_000)],
      ['Riverbank', 'the our client '.repeat(1_300)],
      ['Riverbank', 'Riverbank Inc. '.repeat(1_300)],
      ['Riverbank', `Riverbank${' '.repeat(19_000)}`],
    ] as const)
      expect(hidden(client, text)).toBeDefined();
  });
});
