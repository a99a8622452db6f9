import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { pdf } from '../kit/uploads.js';
import { until } from '../kit/until.js';
import type { StoredMail } from '../kit/sink/sink-modes.js';
import { clean, judge } from './kit/oracle.js';
import { faults, MAX_IN_FLIGHT, many } from './kit/suite.js';

const RECIPIENTS = 150;
const KILLS = 3;

/**
 * SHA-256 of the attached file of a stored message.
 * @returns null if the last part of the message is incomplete
 */
function fileIn(raw: string): string | null {
  const boundary = /^Content-Type: multipart\/mixed;\s+boundary="([^"]+)"/m.exec(raw)?.[1];
  if (!boundary || !raw.endsWith(`\r\n--${boundary}--\r\n`)) return null;
  const part = raw.slice(raw.lastIndexOf(`--${boundary}\r\n`), raw.lastIndexOf(`\r\n--${boundary}--`));
  const content = part.slice(part.indexOf('\r\n\r\n') + 4);
  return createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex');
}

faults('attached files', (fault) => {
  it('[short] with the only worker killed while it sends them, nobody gets half a file and nobody is lost', async () => {
    const { world, after } = fault;
    await world.start();
    const found: (string | null)[] = [];
    const { store } = Object.getPrototypeOf(world.sink) as { store: (mail: StoredMail) => number };
    world.sink.store = (mail) => {
      if (mail.address.startsWith('file')) found.push(fileIn(mail.raw));
      return store.call(world.sink, { ...mail, raw: '' });
    };
    const account = await world.account();
    const bytes = pdf(randomBytes(150_000).toString('hex'));
    const form = new FormData();
    form.set('kind', 'document');
    form.set('file', new Blob([bytes]), 'Resume.pdf');
    const uploaded = await fetch(`${world.webs[0]!.url}/api/files`, {
      method: 'POST',
      body: form,
      headers: { Cookie: account.cookie, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(uploaded.status).toBe(201);
    const { id: fileId } = (await uploaded.json()) as { id: string };
    const addresses = many('file', RECIPIENTS);
    const answer = await world.post(
      '/api/send-email',
      { ...world.mail(await world.list(account, addresses)), files: [{ fileId, as: 'attachment' }] },
      { account },
    );
    expect(answer.status).toBe(202);
    world.acknowledged.push({ id: ((await answer.json()) as { id: string }).id, account, addresses });
    for (let kill = 0; kill < KILLS; kill++) {
      const before = found.length;
      await until('mail goes out', () => found.length > before || found.length >= RECIPIENTS);
      await after(0, 100);
      await (await world.replace(world.workers[0]!)).ready();
    }
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(KILLS * MAX_IN_FLIGHT);
    expect(found).toHaveLength(RECIPIENTS + verdict.extraCopies);
    expect(new Set(found)).toEqual(new Set([createHash('sha256').update(bytes).digest('hex')]));
  });
});
