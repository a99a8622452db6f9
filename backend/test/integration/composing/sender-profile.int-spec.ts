import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { ExportParts } from '../../../src/shared/personal-data.js';
import type { TestApp } from '../../kit/app.js';
import { doc, list, mergeTag, paragraph, table, text } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import { startSending } from '../sending/support.js';
import { ADDRESS, ADDRESS_LINE, putProfile, readProfile, SIGNATURE, uploadLogo } from './sender-profile-support.js';

let app: TestApp;
let user: SignedUp;
let logoFileId: string;

beforeAll(async () => {
  app = await startSending();
  user = await app.user({ set: { tier: 'pro', agency_name: 'Acme <Staffing>' } });
  logoFileId = await uploadLogo(user);
});
afterAll(() => app.close());

const read = (by = user) => readProfile(by);
const put = (body: object, version?: number | string, by = user) => putProfile(by, body, version);

describe('a sender profile', () => {
  it('says nothing before the first save, and is saved whole, by the version that was read', async () => {
    const own = await app.user();
    const { headers, body } = await own.agent.get('/api/sender-profile').expect(200);
    expect(headers['etag']).toBe('"0"');
    expect(body).toMatchObject({ version: 0, title: null, address: null, addressRequired: false, showLogo: false });
    const saved = await put({ ...ADDRESS, title: ' Recruiter ', accent: 'teal', signature: SIGNATURE }, 0, own).expect(
      200,
    );
    expect(saved.headers['etag']).toBe('"1"');
    expect(saved.body).toMatchObject({ version: 1, title: 'Recruiter', address: ADDRESS_LINE, accent: 'teal' });
    expect((await put({ title: 'Other' }, 0, own).expect(412)).body.code).toBe('draft_changed');
    await own.agent.put('/api/sender-profile').send({}).expect(428);
    expect(await read(own)).toMatchObject({ title: 'Recruiter', signature: SIGNATURE });
    await put({ phone: '+1 860 555 0142' }, 1, own).expect(200);
    expect(await read(own)).toMatchObject({ version: 2, phone: '+1 860 555 0142', title: null, signature: null });
  });

  it('is made by one of two first saves', async () => {
    const own = await app.user();
    const answers = await Promise.all([put({ title: 'A' }, 0, own), put({ title: 'B' }, 0, own)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it.each([
    [{ ...ADDRESS, postalCode: '' }, 'postalCode', 'Postal code is required'],
    [{ addressLine2: 'Suite 4' }, 'addressLine1', 'Street address is required'],
    [{ ...ADDRESS, region: null }, 'region', 'State or country is required'],
    [{ title: 'a\r\nBcc: x@y.test' }, 'title', 'Title must be a single line of text'],
    [{ title: 'a\n' }, 'title', 'Title must be a single line of text'],
    [{ phone: 'x'.repeat(201) }, 'phone', 'Phone must be at most 200 characters'],
    [{ website: 'http://acme.test' }, 'website', 'Please enter a web address that begins with https'],
    [{ website: 'https://user:pass@acme.test/' }, 'website', 'Please enter a web address that begins with https'],
    [{ profileUrl: 'javascript:alert(1)' }, 'profileUrl', 'Please enter a web address that begins with https'],
    [{ accent: '#ff0000' }, 'accent', /^accent must be one of/],
    [{ logoFileId: 'x' }, 'logoFileId', 'logoFileId must be the id of a picture'],
    [{ from: 'ceo@other.test' }, 'from', 'Unknown field: from'],
  ])('refuses %j', async (body, field, message) => {
    const { details } = (await put(body).expect(400)).body;
    expect(details[0]).toEqual({
      field,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it.each([
    [doc(table(['a'], ['b'])), 'the signature cannot hold a table'],
    [doc(list('bulletList', [paragraph('a')])), 'the signature cannot hold a list'],
    [doc(paragraph(mergeTag('first_name'))), 'the signature cannot hold a merge tag'],
    [doc(paragraph('{{first_', text('name}}', { type: 'bold' }))), 'the signature cannot hold a merge tag'],
    [doc(paragraph('x'.repeat(2_001))), 'the signature has at most 2,000 characters'],
    [{ type: 'doc', version: 1, content: [{ type: 'iframe' }] }, 'unknown node'],
  ])('refuses the signature %j', async (signature, message) => {
    const { code, details } = (await put({ signature }).expect(400)).body;
    expect(code).toBe('document_invalid');
    expect(details[0].message).toContain(message);
  });

  it('shows no picture of somebody else, and keeps its own from deletion', async () => {
    const stranger = await app.user();
    await put({ logoFileId: await uploadLogo(stranger) }).expect(404);
    const image = { type: 'image', attrs: { fileId: await uploadLogo(stranger) } };
    await put({ signature: doc(image) }).expect(404);
    await put({ logoFileId }).expect(200);
    expect((await user.agent.delete(`/api/files/${logoFileId}`).expect(409)).body.code).toBe('picture_in_use');
    await put({ signature: doc({ type: 'image', attrs: { fileId: logoFileId } }) }).expect(200);
    expect((await user.agent.delete(`/api/files/${logoFileId}`).expect(409)).body.code).toBe('picture_in_use');
  });

  it('is its owner’s alone, is exported, and goes with the account', async () => {
    const own = await app.user();
    expect(await read(own)).toMatchObject({ version: 0 });
    await put({ ...ADDRESS, title: 'Exported', signature: SIGNATURE }, 0, own).expect(200);
    let csv = '';
    const files = app.get(ExportParts).filesOf(own.id);
    for await (const part of files.find(({ file }) => file === 'sender-profile.csv')!.text()) csv += part;
    expect(csv.trim().split('\n')).toHaveLength(2);
    expect(csv).toContain('12 Main Street');
    await rows(app.em(), `delete from users where id = ?`, [own.id]);
    expect(await rows(app.em(), `select 1 from sender_profiles where user_id = ?`, [own.id])).toHaveLength(0);
  });
});

describe('the preview of a profile', () => {
  it('shows a sample with what is typed, saved or not', async () => {
    const before = await read();
    const { body } = await user.agent
      .post('/api/sender-profile/preview')
      .send({ ...ADDRESS, accent: 'green', showLogo: true, signature: SIGNATURE })
      .expect(200);
    expect(body.html).toContain('bgcolor="#17592b"');
    for (const part of [body.html, body.text]) {
      expect(part).toContain(ADDRESS_LINE);
      expect(part).toContain('Ms Recruiter');
    }
    await user.agent.post('/api/sender-profile/preview').send({ city: 'Hart' }).expect(200);
    await user.agent.post('/api/sender-profile/preview').send({ showLogo: true, logoFileId: randomUUID() }).expect(404);
    expect(await read()).toEqual(before);
  });
});
