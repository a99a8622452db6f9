import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, sendBody, settled, startSending } from '../sending/support.js';

let app: TestApp;
let ann: SignedUp;
beforeAll(async () => {
  app = await startSending();
  ann = await app.user({ set: { tier: 'pro' } });
});
afterAll(() => app.close());

const TEXT =
  'Role: Sr Java Developer\nLocation: Hartford, CT (Hybrid)\nRate: $60/hr C2C\nDuration: 12+ months\nSkills: Java, Kafka';
const read = (body: object) => ann.agent.post('/api/requirements/read').send(body);
const compose = (body: object) => ann.agent.post('/api/requirements/compose').send(body);
const job = {
  title: 'Sr Java Developer',
  isClientHidden: true,
  jobLocations: [],
  employmentTypes: ['C2C'],
  workAuthorization: [],
  skills: { required: ['Java'], preferred: [] },
};

describe('a pasted requirement', () => {
  it('is read, with the place of each guess, and becomes a subject and a message', async () => {
    const { body, headers } = await read({ text: TEXT }).expect(200);
    expect(headers['x-total-count']).toBe('1');
    const [found] = body;
    expect(found).toMatchObject({
      subject: 'Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C | 12+ months',
      job: { title: 'Sr Java Developer', workMode: 'hybrid', baseSalary: { min: 60, unit: 'HOUR' } },
      leftOut: { emails: 0, phones: 0, signature: false, disclaimer: false },
    });
    const { from, to } = found.guesses.find(({ field }: { field: string }) => field === 'title');
    expect(TEXT.slice(from, to)).toBe('Sr Java Developer');
    const composed = (await compose({ job: found.job }).expect(200)).body;
    expect(composed.subject).toBe(found.subject);
    expect(JSON.stringify(composed.document)).toContain('Hartford, CT');
  });

  it('names its client only where the sender shows it', async () => {
    const named = { ...job, hiringOrganization: 'Great Lakes Bank' };
    expect(JSON.stringify((await compose({ job: named }).expect(200)).body)).not.toContain('Great Lakes');
    const told = { ...named, title: 'Java at Great Lakes Bank', description: 'GREAT LAKES BANK, N.A. hires.' };
    const { subject, document, hiddenNames } = (await compose({ job: told }).expect(200)).body;
    expect(subject).toBe('Java at our client | C2C');
    expect(JSON.stringify(document)).toContain('Our client hires.');
    expect(hiddenNames).toEqual(['Great Lakes Bank', 'GREAT LAKES BANK, N.A.']);
    const shown = { ...named, isClientHidden: false };
    expect(JSON.stringify((await compose({ job: shown }).expect(200)).body)).toContain('Great Lakes Bank');
  });

  it('is refused where it is empty, too long or has unknown fields, and is nothing for strangers', async () => {
    await read({ text: '' }).expect(400);
    await read({ text: 'x'.repeat(50_001) }).expect(400);
    await read({ text: TEXT, html: '<b>' }).expect(400);
    await read({}).expect(400);
    await compose({ job: { ...job, title: 'two\nlines' } }).expect(400);
    await compose({ job: { ...job, employmentTypes: ['barter'] } }).expect(400);
    await compose({ job: { ...job, salary: 1 } }).expect(400);
    await app.http().post('/api/requirements/read').send({ text: TEXT }).expect(401);
    expect((await read({ text: 'Thanks, see you on Monday.' }).expect(200)).body).toEqual([]);
    expect((await read({ text: 'x'.repeat(50_000) }).expect(200)).body).toEqual([]);
  });

  it('is text in every field, whatever it looks like', async () => {
    const odd = { ...job, title: 'javascript:alert(1)', description: '<script>alert(1)</script>' };
    const { body } = await compose({ job: odd }).expect(200);
    const list = await seedList(app, ann, { addresses: ['odd@people.test'] });
    const { html } = (
      await ann.agent
        .post('/api/send-email/preview')
        .send({ ...sendBody(list), content: undefined, subject: body.subject, document: body.document })
        .expect(200)
    ).body;
    expect(html).not.toMatch(/<script|href="javascript/);
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('the job of an email', () => {
  it('stays with its draft and its send, and makes another send of the same words', async () => {
    const list = await seedList(app, ann, { addresses: ['job@people.test'] });
    const { body: draft } = await ann.agent
      .post('/api/drafts')
      .send({ emailType: 'job-post', emailListIds: [list.id], subject: 'Java', content: 'Hello', job })
      .expect(201);
    const stored = (await ann.agent.get(`/api/drafts/${draft.id}`).expect(200)).body;
    expect(stored.job).toMatchObject({ title: 'Sr Java Developer', skills: { required: ['Java'] } });
    const bob = await app.user();
    await bob.agent.get(`/api/drafts/${draft.id}`).expect(404);
    const send = (extra: object) =>
      ann.agent.post('/api/send-email').send(sendBody(list, { subject: 'Java', ...extra }));
    const { id } = (await send({ job }).expect(202)).body;
    await settled(ann, id);
    const entry = (await ann.agent.get(`/api/email-history/${id}`).expect(200)).body;
    expect(entry.job).toMatchObject({ title: 'Sr Java Developer' });
    expect((await send({ job }).expect(202)).body.id).toBe(id);
    expect((await send({ job: { ...job, title: 'Java Lead' } }).expect(202)).body.id).not.toBe(id);
    const kept = await rows<{ n: number }>(
      app.em(),
      `select count(*)::int as n from send_messages where job is not null`,
    );
    expect(kept).toEqual([{ n: 2 }]);
  });
});
