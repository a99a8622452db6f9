import { describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { type TestApp } from '../../kit/app.js';
import { ANIMATED_WEBP, JPEG, jpegSegment, PNG, pngChunk, riffChunk, WEBP } from '../../kit/samples/pictures.js';
import { app, png } from './account-support.js';

describe('the profile picture', () => {
  const put = (agent: Awaited<ReturnType<TestApp['user']>>['agent'], bytes: Buffer, type = 'image/png') =>
    agent.put('/api/auth/user/avatar').set('Content-Type', type).send(bytes);

  it('is served under an address that changes with the picture', async () => {
    const { agent } = await app.user();
    const first = (await put(agent, png(256, 256)).expect(200)).body.profileImageUrl as string;
    expect(first).toMatch(/^\/api\/avatars\/[0-9a-f-]{36}$/);
    const served = await agent.get(first).expect(200);
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect(served.body).toEqual(png(256, 256));
    const second = (await put(agent, png(64, 64)).expect(200)).body.profileImageUrl as string;
    expect(second).not.toBe(first);
    await agent.get(first).expect(404);
    await app.http().get(second).expect(401);
    await agent
      .delete('/api/auth/user/avatar')
      .expect(200)
      .expect(({ body }) => expect(body.profileImageUrl).toBeNull());
    await agent.get(second).expect(404);
    await agent.get('/api/avatars/nonsense').expect(404);
  });

  it('is recognised by its bytes, not by its declared type', async () => {
    const { agent } = await app.user();
    const html = Buffer.from('<html><script>alert(1)</script></html>');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>');
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
    for (const bytes of [html, svg, gif, Buffer.alloc(0), png(10, 10).subarray(0, 12)])
      await put(agent, bytes).expect(415);
    const named = await agent
      .put('/api/auth/user/avatar')
      .set('Content-Type', 'image/svg+xml')
      .send(svg.toString())
      .expect(415);
    expect(named.body.message).toBe('Send a PNG, JPEG or WebP picture');
    await put(agent, png(4096, 16)).expect(400);
    await put(agent, Buffer.concat([png(10, 10), Buffer.alloc(512 * 1024)])).expect(413);
    await agent.put('/api/auth/user/avatar').send({ url: 'https://evil.test/x.png' }).expect(415);
    await agent.get('/api/auth/user').expect(({ body }) => expect(body.profileImageUrl).toBeNull());
  });
});

describe('the metadata of a picture', () => {
  const SECRET = 'GPS 52.5 N 13.4 E SECRETHOME';
  const exif = Buffer.from(`Exif\0\0II*\0${SECRET}`);
  const riffOf = (source: Buffer, part: Buffer) => {
    const whole = Buffer.concat([source, part]);
    whole.writeUInt32LE(whole.length - 8, 4);
    return whole;
  };
  const taken = (): [string, Buffer][] => [
    [
      'image/jpeg',
      Buffer.concat([JPEG.subarray(0, 2), jpegSegment(0xe1, exif), JPEG.subarray(2), Buffer.from(SECRET)]),
    ],
    [
      'image/png',
      Buffer.concat([
        PNG.subarray(0, 33),
        pngChunk('eXIf', exif),
        pngChunk('tEXt', Buffer.from(`Author\0${SECRET}`)),
        PNG.subarray(33),
        Buffer.from(SECRET),
      ]),
    ],
    ['image/webp', Buffer.concat([riffOf(WEBP, riffChunk('EXIF', exif)), Buffer.from(SECRET)])],
    ['image/webp', riffOf(ANIMATED_WEBP, riffChunk('XMP ', exif))],
  ];

  it('is neither stored nor served', async () => {
    const [owner, reader] = [await app.user(), await app.user()];
    for (const [type, bytes] of taken()) {
      const { body } = await owner.agent.put('/api/auth/user/avatar').set('Content-Type', type).send(bytes).expect(200);
      const served = await reader.agent
        .get(body.profileImageUrl as string)
        .expect(200)
        .expect('content-type', type);
      expect((served.body as Buffer).length).toBeGreaterThan(50);
      expect((served.body as Buffer).includes('SECRETHOME')).toBe(false);
      expect(
        await rows(
          app.em(),
          `select 1 from user_avatars where user_id = ? and position('SECRETHOME'::bytea in content) > 0`,
          [owner.id],
        ),
      ).toEqual([]);
    }
  });

  it('of an earlier picture is not served, and removed by the next sweep; unreadable pictures are deleted', async () => {
    const kept = await Promise.all(
      taken().map(async ([type, bytes]) => {
        const owner = await app.user();
        const { body } = await owner.agent
          .put('/api/auth/user/avatar')
          .set('Content-Type', type)
          .send(bytes)
          .expect(200);
        await rows(
          app.em(),
          `update user_avatars set content = decode(?, 'hex'), stripped_id = null where user_id = ?`,
          [bytes.toString('hex'), owner.id],
        );
        return { owner, url: body.profileImageUrl as string };
      }),
    );
    const [broken] = kept;
    await rows(app.em(), `update user_avatars set content = '\\x00'::bytea where user_id = ?`, [broken!.owner.id]);
    for (const { owner, url } of kept.slice(1))
      expect(((await owner.agent.get(url).expect(200)).body as Buffer).includes('SECRETHOME')).toBe(false);
    await broken!.owner.agent.get(broken!.url).expect(404);

    const { PictureCleanup } = await import('../../../src/modules/auth/pictures/picture-cleanup.service.js');
    await app.get(PictureCleanup).cleanAll();
    expect(
      await rows(
        app.em(),
        `select 1 from user_avatars where stripped_id is distinct from id or position('SECRETHOME'::bytea in content) > 0`,
      ),
    ).toEqual([]);
    for (const { owner, url } of kept.slice(1)) await owner.agent.get(url).expect(200);
    await broken!.owner.agent.get('/api/auth/user').expect(({ body }) => expect(body.profileImageUrl).toBeNull());
  });
});
