import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANGE_KINDS } from '../../../src/shared/changes/account-change.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { EventStreamLimits } from '../../../src/shared/http/responses/event-streams.service.js';
import type { TestApp } from '../../kit/app.js';
import { changeOf as of, type StreamEvent } from '../../kit/event-stream.js';
import { pdf } from '../../kit/uploads.js';
import { startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';
import { uploadFile } from '../../kit/upload-file.js';
import { streamHelpers } from './events-support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending();
  // Heartbeats are disabled by a long interval, so that none of them ends a stream.
  app.get(EventStreamLimits).heartbeatMs = 600_000;
});
afterAll(() => app.close());

const { follow, heard } = streamHelpers(() => app);

describe('GET /api/events', () => {
  it('tells admins of the kinds of changes of other accounts, coalesced and without ids', async () => {
    const { user: owner } = await follow();
    const admin = await follow({ admin: true });
    await owner.agent.post('/api/email-lists').send({ name: "Somebody else's" }).expect(201);
    const kindsIn = ({ data }: StreamEvent) => (data.ids ?? []) as string[];
    const told = await admin.stream.next((event) => of('admin')(event) && kindsIn(event).includes('list'));
    expect(CHANGE_KINDS).toEqual(expect.arrayContaining(kindsIn(told)));
    admin.stream.leave();
  });

  it('tells admins, and nobody else, that a mail account fails, is switched off or is added', async () => {
    const [admin, other] = [await follow({ admin: true }), await follow()];
    const [account] = await rows<{ id: string }>(
      app.em(),
      `insert into email_providers (name, api_key_ref, is_active) values ('Watched', 'SMTP_URL_WATCHED', false) returning id`,
    );
    await admin.stream.next(of('mail-account', account!.id));
    const told = () => admin.stream.events.filter(of('mail-account', account!.id)).length;
    for (const change of [`state = 'failing', failures = 1`, `config = '{"messagesPerSecond": 5}'`]) {
      const before = told();
      await rows(app.em(), `update email_providers set ${change} where id = ?`, [account!.id]);
      await until(() => told() > before);
    }
    await rows(app.em(), `delete from email_providers where id = ?`, [account!.id]);
    await heard(other.stream, other.user);
    expect(other.stream.events.filter(of('mail-account'))).toEqual([]);
    for (const { stream } of [admin, other]) stream.leave();
  });

  it('tells that a file was added, scanned and deleted, and nothing when it is used', async () => {
    const { user, stream } = await follow();
    const { body } = await uploadFile(user, pdf()).expect(201);
    const ofFile = of('file', body.id as string);
    await stream.next(ofFile);
    await heard(stream, user);
    const told = () => stream.events.filter(ofFile).length;
    for (const change of [`scan = 'clean', scanned_at = now()`, `deleted_at = now(), name = ''`]) {
      const before = told();
      await rows(app.em(), `update files set ${change} where id = ?`, [body.id]);
      await until(() => told() > before);
    }
    const before = told();
    await rows(app.em(), `update files set used_at = now() where id = ?`, [body.id]);
    await heard(stream, user);
    expect(told()).toBe(before);
    stream.leave();
  });
});
