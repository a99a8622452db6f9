import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AttachmentRegistry } from '../../../../src/modules/delivery/index.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../../src/shared/retention/retention.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { pdf } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import { PASSWORD, type SignedUp } from '../../../kit/users.js';
import { seedList, type SeededList, sendBody, settled } from '../../sending/support.js';
import { attached, attachmentHelpers, parts, sha, startWithAttachments, unique } from './attachments-support.js';

describe.each(['pipelined', 'nodemailer'])('files attached to an email, by the %s client', (client) => {
  const sink = new SmtpSink();
  let app: TestApp;
  let user: SignedUp;
  let people: SeededList;

  beforeAll(async () => {
    app = await startWithAttachments(sink, client);
    user = await app.user({ set: { tier: 'pro' } });
    people = await seedList(app, user, { count: 3 });
  });
  afterAll(() => closeAll(app, sink));

  const { upload, accept, recipientsMailsOf: mailsOf, bytesThere } = attachmentHelpers(() => ({ app, user, sink }));

  describe('while the email is under way', () => {
    /** Accepts an email that cannot leave yet, because the mail server is down. */
    async function waiting(files: object[], what: string) {
      sink.unplug();
      const subject = unique(what);
      return { subject, id: await accept(sendBody(people, { subject, files })) };
    }
    const purge = () => app.get(Retention).purge();

    it('are sent although they are deleted or replaced since, and go when it has ended', async () => {
      const [old, kept] = [pdf(randomUUID()), pdf(randomUUID())];
      const [replaced, deleted] = [await upload(old), await upload(kept, 'Candidate.pdf')];
      const { subject, id } = await waiting(attached(replaced, deleted), 'Held');
      const next = await upload(pdf(randomUUID()));
      await user.agent.post(`/api/files/${replaced}/replace`).send({ fileId: next }).expect(200);
      await user.agent.delete(`/api/files/${deleted}`).expect(204);
      await purge();
      expect([bytesThere(replaced), bytesThere(deleted)]).toEqual([true, true]);
      await sink.plugIn();
      expect((await settled(user, id)).counts.sent).toBe(3);
      for (const raw of mailsOf(subject)) {
        const found = await parts(raw);
        expect(found.map(({ content }) => sha(content))).toEqual([sha(old), sha(kept)]);
        expect(found[1]!.filename).toBe('Candidate.pdf');
      }
      await purge();
      expect([bytesThere(replaced), bytesThere(deleted)]).toEqual([false, false]);
      expect(await rows(app.em(), `select name from send_attachments where file_id = ?`, [deleted])).toEqual([
        { name: '' },
      ]);
      expect((await user.agent.get(`/api/email-history/${id}`).expect(200)).body.files[1]).toMatchObject({ name: '' });
    });

    it('wait with it while the storage is away, and nobody fails', async () => {
      const bytes = pdf(randomUUID());
      const { subject, id } = await waiting(attached(await upload(bytes)), 'Away');
      const folder = join(app.settings.filesDir!, 'documents');
      renameSync(folder, `${folder}.away`);
      await sink.plugIn();
      const other = unique('Meanwhile');
      await settled(user, await accept(sendBody(people, { subject: other })));
      expect(mailsOf(other)).toHaveLength(3);
      expect(mailsOf(subject)).toHaveLength(0);
      const { body } = await user.agent.get(`/api/email-history/${id}`).expect(200);
      expect([body.status, body.counts.queued, body.counts.failed]).toEqual(['pending', 3, 0]);
      renameSync(`${folder}.away`, folder);
      expect((await settled(user, id)).counts.sent).toBe(3);
      expect(await Promise.all(mailsOf(subject).map(async (raw) => sha((await parts(raw))[0]!.content)))).toEqual(
        Array(3).fill(sha(bytes)),
      );
    });

    it.each([
      ['taken down', `taken_down_at = now()`, 'An attached file was taken down'],
      ['found to hold a virus', `scan = 'infected'`, 'A virus was found in an attached file'],
    ])(
      'stop the rest of it where one is %s, which its recipients and its user are told',
      async (_what, change, text) => {
        const file = await upload();
        // Without the file's bytes no message is prepared, so none is in flight when the file is withdrawn.
        const folder = join(app.settings.filesDir!, 'documents');
        renameSync(folder, `${folder}.away`);
        const subject = unique('Withdrawn');
        const id = await accept(sendBody(people, { subject, files: attached(file) }));
        await rows(app.em(), `update files set ${change} where id = ?`, [file]);
        await until('a worker knows it', () => app.get(AttachmentRegistry).withdrawalOf(id));
        renameSync(`${folder}.away`, folder);
        expect((await settled(user, id)).status).toBe('failed');
        expect(mailsOf(subject)).toHaveLength(0);
        const { body: log } = await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200);
        expect((log as { status: string; detail: string }[]).map(({ status, detail }) => [status, detail])).toEqual(
          Array(3).fill(['skipped', text]),
        );
        const { body: notices } = await user.agent.get('/api/notifications').expect(200);
        expect(JSON.stringify(notices)).toContain('Send stopped: an attached file was taken down or contains a virus');
      },
    );
  });

  it('are needed for a retry: one that was deleted since refuses it', async () => {
    const [there, gone] = [await upload(), await upload()];
    const list = await seedList(app, user, { addresses: ['full-a@people.test', 'ok@people.test'] });
    sink.answer = (address) => (address.startsWith('full') ? '552 5.2.2 mailbox full' : undefined);
    const [kept, lost] = [
      await accept(sendBody(list, { subject: unique('Kept'), files: attached(there) })),
      await accept(sendBody(list, { subject: unique('Lost'), files: attached(gone) })),
    ];
    for (const id of [kept, lost]) await settled(user, id);
    sink.answer = () => undefined;
    await user.agent.delete(`/api/files/${gone}`).expect(204);
    const entryOf = async (id: string) => (await user.agent.get(`/api/email-history/${id}`).expect(200)).body.retryable;
    expect([await entryOf(kept), await entryOf(lost)]).toEqual([1, 0]);
    const { body: refused } = await user.agent.post(`/api/email-history/${lost}/retry`).expect(410);
    expect(refused.code).toBe('file_gone');
    expect((await user.agent.post(`/api/email-history/${kept}/retry`)).body).toEqual({ retried: 1 });
    expect((await settled(user, kept)).counts.sent).toBe(2);
  });

  it('leave with an account that is deleted while its email waits, and no bytes stay', async () => {
    const leaver = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, leaver, { count: 3 });
    const file = await upload(undefined, 'Mine.pdf', leaver);
    sink.unplug();
    const subject = unique('Leaving');
    await leaver.agent
      .post('/api/send-email')
      .send(sendBody(list, { subject, files: attached(file) }))
      .expect(202);
    await leaver.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await sink.plugIn();
    await until(async () => (await rows(app.em(), `select 1 from users where id = ?`, [leaver.id])).length === 0);
    await app.get(Retention).purge();
    expect(mailsOf(subject)).toEqual([]);
    expect(await rows(app.em(), `select 1 from files where id = ?`, [file])).toEqual([]);
    expect(bytesThere(file)).toBe(false);
  });

  it('leave with the account, and no bytes stay', async () => {
    const leaver = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, leaver, { count: 1 });
    const file = await upload(undefined, 'Mine.pdf', leaver);
    const body = sendBody(list, { subject: unique('Mine'), files: attached(file) });
    await user.agent
      .post('/api/send-email')
      .send(sendBody(people, { files: attached(file) }))
      .expect(404);
    const { body: accepted } = await leaver.agent.post('/api/send-email').send(body).expect(202);
    await settled(leaver, accepted.id as string);
    await leaver.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await until(
      'it is erased',
      async () => (await rows(app.em(), `select 1 from users where id = ?`, [leaver.id])).length === 0,
    );
    await app.get(Retention).purge();
    expect(await rows(app.em(), `select 1 from send_attachments where file_id = ?`, [file])).toEqual([]);
    expect(readdirSync(join(app.settings.filesDir!, 'documents'))).not.toContain(file);
  });
});
