import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FileScans } from '../../../../src/modules/composing/files/scans/file-scans.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { closeAll, startApp, type TestApp } from '../../../kit/app.js';
import { FakeClamd } from '../../../kit/clamd.js';
import { EICAR, pdf } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import { uploadFile } from '../../../kit/upload-file.js';

const stored = (on: TestApp): string[] => readdirSync(join(on.settings.filesDir!, 'documents'));

describe('an uploaded file where a virus scanner runs', () => {
  it('is served once it is clean, and never with a virus', async () => {
    const clamd = new FakeClamd();
    clamd.signatures.push(EICAR);
    const scanned = await startApp({ env: { CLAMD_URL: await clamd.listen() } });
    try {
      const own = await scanned.user();
      const stateOf = async (id: string) =>
        ((await own.agent.get(`/api/files/${id}`).expect(200)).body as { state: string }).state;
      const { body: clean } = await uploadFile(own, pdf('clean'), 'x.pdf').expect(201);
      expect(['checking', 'ready']).toContain(clean.state);
      await until(async () => (await stateOf(clean.id as string)) === 'ready');
      const { body: virus } = await uploadFile(own, EICAR, 'x.txt').expect(201);
      await until(async () => (await stateOf(virus.id as string)) === 'refused');
      await until(() => !stored(scanned).includes(virus.id as string));
      const { body: again } = await uploadFile(own, EICAR, 'y.txt').expect(422);
      expect(again.code).toBe('file_infected');
      // Only a scanner can judge files of this type.
      await uploadFile(own, Buffer.from('{\\rtf1 Resume}'), 'x.rtf').expect(201);
      // The scanner now has a new signature.
      clamd.signatures.push(Buffer.from('clean'));
      await rows(scanned.em(), `update files set scanned_at = now() - interval '8 days' where id = ?`, [clean.id]);
      await scanned.get(FileScans).requestDue();
      await until(async () => (await stateOf(clean.id as string)) === 'refused');
    } finally {
      await closeAll(scanned, clamd);
    }
  });

  it('is scanned again although many others can never be', async () => {
    const clamd = new FakeClamd();
    const scanned = await startApp({ env: { CLAMD_URL: await clamd.listen() } });
    try {
      const own = await scanned.user();
      await rows(
        scanned.em(),
        `insert into files (user_id, kind, name, media_type, byte_size, sha256, storage_key, scan, stored_at)
         select ?, 'document', 'x.pdf', 'application/pdf', 1, sha256(n::text::bytea), 'documents/lost-' || n, 'pending', now() from generate_series(1, 210) n`,
        [own.id],
      );
      const { body } = await uploadFile(own, pdf('due'), 'x.pdf').expect(201);
      const stateOf = async () =>
        ((await own.agent.get(`/api/files/${body.id as string}`)).body as { state: string }).state;
      await until(async () => (await stateOf()) === 'ready');
      clamd.signatures.push(Buffer.from('due'));
      await rows(scanned.em(), `update files set scanned_at = now() - interval '8 days' where id = ?`, [body.id]);
      for (let sweeps = 0; sweeps < 2; sweeps++) await scanned.get(FileScans).requestDue();
      await until(async () => (await stateOf()) === 'refused');
    } finally {
      await closeAll(scanned, clamd);
    }
  });

  it('waits while the scanner does not answer', async () => {
    const clamd = new FakeClamd();
    const address = await clamd.listen();
    await clamd.close();
    const scanned = await startApp({ env: { CLAMD_URL: address } });
    const later = new FakeClamd();
    try {
      const own = await scanned.user();
      const { body } = await uploadFile(own, pdf('waits'), 'x.pdf').expect(201);
      await expect(scanned.get(FileScans).scan(body.id as string)).rejects.toThrow();
      expect((await own.agent.get(`/api/files/${body.id as string}`)).body.state).toBe('checking');
      await later.listen(Number(new URL(address).port));
      await scanned.get(FileScans).scan(body.id as string);
      expect((await own.agent.get(`/api/files/${body.id as string}`)).body.state).toBe('ready');
    } finally {
      await closeAll(scanned, later);
    }
  });
});
