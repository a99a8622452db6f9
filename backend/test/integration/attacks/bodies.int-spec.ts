import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PUBLIC } from '../../../src/shared/http/requests/access.decorators.js';
import { BODY_RULE, type BodyRule } from '../../../src/shared/http/requests/body.decorators.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { MAX_BYTES } from '../../kit/samples/hostile-bodies.js';
import type { SignedUp } from '../../kit/users.js';

let app: TestApp;
let user: SignedUp;
let list: string;

beforeAll(async () => {
  app = await startApp();
  user = await app.user();
  list = (await user.agent.post('/api/email-lists').send({ name: 'Mine' }).expect(201)).body.id;
});
afterAll(() => app.close());

const login = (text: string) => app.http().post('/api/auth/login').type('json').send(text);
const fieldsOf = (body: { details?: { field: string }[] }) => (body.details ?? []).map(({ field }) => field);

/** Sends a body in chunks, without Content-Length. */
function inPieces(path: string, piece: string, pieces: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(
      app.url + path,
      { method: 'POST', headers: { 'Content-Type': 'application/json' } },
      (res) => {
        res.resume();
        resolve(res.statusCode!);
      },
    );
    req.on('error', reject);
    for (let sent = 0; sent < pieces; sent += 1) req.write(piece);
    req.end();
  });
}

describe('a request body', () => {
  it('is limited to 32 KB by default, with and without Content-Length', async () => {
    await login(JSON.stringify({ email: 'x'.repeat(33 * 1024), password: 'x' })).expect(413);
    expect(await inPieces('/api/auth/login', ' '.repeat(1024), 40)).toBe(413);
    await user.agent
      .post(`/api/email-lists/${list}/subscribers`)
      .send({ email: 'x'.repeat(33 * 1024) })
      .expect(413);
    await login(JSON.stringify({ email: 'x'.repeat(30 * 1024), password: 'x' })).expect(400);
  });

  it('is not read for refused requests', async () => {
    await app.http().post('/api/send-email').type('json').send('{"broken').expect(401);
    expect(await inPieces('/api/send-email', ' '.repeat(64 * 1024), 20)).toBe(401);
  });

  it('may contain a message of full length with any escaping', async () => {
    const escaped = (text: string) =>
      [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const body = `{"emailListIds":["${list}"],"emailType":"job-post","subject":"S","content":"${escaped('語'.repeat(100_000))}"}`;
    const { body: answer } = await user.agent.post('/api/send-email/preview').type('json').send(body).expect(200);
    expect(answer.text).toContain('語'.repeat(100_000));
    await user.agent
      .post('/api/send-email/preview')
      .type('json')
      .send(body.replace('語', '語語'))
      .expect(({ status }) => expect(status).toBe(200));
    await user.agent
      .post('/api/send-email/preview')
      .send({ emailListIds: [list], emailType: 'job-post', subject: 'S', content: 'x'.repeat(1_100_000) })
      .expect(413);
  });

  it('is refused before validation for wide objects, long arrays, long keys and NUL characters', async () => {
    const wide = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k${n}`, 1]));
    for (const body of [
      wide,
      { email: wide },
      { email: Array(1001).fill(1) },
      { ['k'.repeat(201)]: 1 },
      { 'a\0b': 1 },
      { email: { a: ['\0'] } },
    ]) {
      await login(JSON.stringify(body))
        .expect(400)
        .expect(({ body: answer }) => expect(answer).toMatchObject({ code: 'bad_request' }));
    }
  });

  it('is refused before parsing for thousands of property names', async () => {
    const wide = (each: number) => Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`k${each}-${n}`, 1]));
    const body = { lines: ['a@contact.test'], x: Array.from({ length: 30 }, (_, n) => wide(n)) };
    const { body: answer } = await user.agent
      .post(`/api/email-lists/${list}/subscribers/import`)
      .send(body)
      .expect(400);
    expect(answer).toMatchObject({ code: 'bad_request' });
    const text = { lines: ['a@contact.test', ...Array.from({ length: 6000 }, (_, n) => `"x":"${n}":`)] };
    await user.agent.post(`/api/email-lists/${list}/subscribers/import`).send(text).expect(202);
  });

  it('gets an answer of bounded size', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`${'k'.repeat(150)}${n}`, 1]));
    const { body, text } = await login(JSON.stringify(unknown)).expect(400);
    expect(fieldsOf(body)).toHaveLength(20);
    expect(Math.max(...fieldsOf(body).map((field) => field.length))).toBe(100);
    expect(text.length).toBeLessThan(8000);
  });

  it('is limited to 64 KB on every public route', () => {
    const large = routes().filter(
      ({ rule, isPublic }) => isPublic && (rule.kind === 'stream' || ('maxBytes' in rule && rule.maxBytes > 64 * 1024)),
    );
    // This route checks the form of the signature before it reads the body, so it may have a larger limit of its own.
    expect(large.map(({ name }) => name)).toEqual(['receiveMailReport']);
  });

  it('is tried with hostile ones up to the limit of every route', () => {
    const limits = routes().flatMap(({ name, rule }) => (rule.kind === 'json' ? [[name, rule.maxBytes] as const] : []));
    expect(MAX_BYTES).toEqual(Object.fromEntries(limits));
  });
});

/** The handlers with a rule for their body. */
function routes(): { name: string; rule: BodyRule; isPublic: boolean }[] {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  return app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ instance, metatype }) => {
      const prototype = Object.getPrototypeOf(instance as object) as Record<string, () => unknown>;
      return scanner.getAllMethodNames(prototype).flatMap((name) => {
        const targets = [prototype[name]!, metatype as never];
        const rule = reflector.getAllAndOverride<BodyRule | undefined>(BODY_RULE, targets);
        return rule ? [{ name, rule, isPublic: reflector.getAllAndOverride<boolean>(PUBLIC, targets) }] : [];
      });
    });
}

describe('a call without a body', () => {
  it('refuses a body, and accepts an empty one', async () => {
    const contact = (
      await user.agent.post(`/api/email-lists/${list}/subscribers`).send({ email: 'c@contact.test' }).expect(201)
    ).body.id;
    const calls = [
      () => app.http().post('/api/auth/logout'),
      () => user.agent.post('/api/auth/resend-verification'),
      () => user.agent.delete('/api/auth/sessions'),
      () => user.agent.post('/api/stripe/create-portal-session'),
      () => user.agent.delete(`/api/email-lists/${list}`),
      () => user.agent.post(`/api/email-lists/${list}/subscribers/${contact}/resend-confirmation`),
      () => user.agent.delete(`/api/email-lists/${list}/subscribers/${contact}`),
    ];
    for (const call of calls) {
      await call()
        .send({ surprise: 1 })
        .expect(400)
        .expect(({ body }) =>
          expect(body).toMatchObject({
            code: 'validation_failed',
            details: [{ field: 'surprise', message: 'Unknown field: surprise' }],
          }),
        );
      await call().send([1]).expect(400);
      await call().type('text/csv').send('a,b').expect(400);
    }
    await app.http().post('/api/auth/logout').send({}).expect(200);
    await app.http().post('/api/auth/logout').type('json').send('').expect(200);
    await user.agent.delete('/api/auth/sessions').send({}).expect(204);
    await user.agent.delete(`/api/email-lists/${list}/subscribers/${contact}`).expect(204);
  });

  it('ignores the body of a one-click unsubscribe', async () => {
    for (const path of ['/unsubscribe/unknown', '/api/unsubscribe/unknown']) {
      await app.http().post(path).type('form').send('List-Unsubscribe=One-Click').expect(404);
      await app.http().post(path).send({ any: 'thing' }).expect(404);
    }
  });
});

describe('a malformed token', () => {
  it('gets the answer of an unknown one', async () => {
    const answers = [];
    for (const token of ['unknown', '%00', 'a%00b', '%E0%A4%A', '%ff']) {
      for (const call of [
        app.http().get(`/api/unsubscribe/${token}/senders`),
        app.http().post(`/api/unsubscribe/${token}`),
        app.http().post(`/unsubscribe/${token}`),
        app.http().post(`/api/unsubscribe/${token}/all`),
      ]) {
        const { status, body } = await call;
        answers.push({ status, body });
      }
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]!.status).toBe(404);
  });

  it('for confirmations and opt-outs gets the error of its kind', async () => {
    for (const path of ['/api/subscribe/confirm/', '/api/never-ask/']) {
      const answers = [];
      for (const token of ['unknown', 'A'.repeat(43), '%00', 'a%00b', '%E0%A4%A', '%ff', `${'A'.repeat(42)}%00`]) {
        const call = path.includes('confirm')
          ? app
              .http()
              .get(path + token)
              .set('Accept', 'application/json')
          : app.http().post(path + token);
        const { status, body } = await call;
        answers.push({ token, status, body });
      }
      for (const { token, ...answer } of answers) expect({ token, ...answer }).toEqual({ ...answers[0], token });
      expect(answers[0]).toMatchObject({ status: 404, body: { code: 'token_invalid' } });
      expect((answers[0]!.body as { message: string }).message).not.toBe('Not found');
    }
  });
});

describe('an import of lines', () => {
  const post = (body: unknown) => user.agent.post(`/api/email-lists/${list}/subscribers/import`).send(body as object);

  it('accepts 200,000 texts in 4 MB and nothing else', async () => {
    await post({ lines: Array(200_001).fill('a') })
      .expect(400)
      .expect(({ body }) => expect(body.message).toMatch(/At most 200000 lines/));
    await post({ lines: [{ a: 1 }] }).expect(400);
    await post({ lines: ['a@b.test', 1] }).expect(400);
    await post({ lines: 'a@b.test' }).expect(400);
    await post({ lines: [] })
      .expect(400)
      .expect(({ body }) => expect(body.message).toBe('Please enter at least one email address'));
    await post({ lines: ['a@b.test'], other: 1 })
      .expect(400)
      .expect(({ body }) => expect(fieldsOf(body)).toEqual(['other']));
    await post({ lines: ['a@b.test'], attestation: Array(2000).fill(1) }).expect(400);
    await post({ lines: ['x'.repeat(4 * 1024 * 1024)] }).expect(413);
    await post({ lines: ['a@contact.test', 'b@contact.test, Bea'] }).expect(202);
  });
});
