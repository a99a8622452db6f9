import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';

const STREAMS = 1_000;

let app: TestApp;
let client: ChildProcess | undefined;
beforeAll(async () => {
  app = await startApp({ env: { ROLE: 'web' } });
});
afterAll(async () => {
  client?.kill('SIGKILL');
  await app.close();
});

/** Inserts signed-in accounts by SQL. */
async function tokens(count: number): Promise<{ id: string; token: string }[]> {
  const model = await app.user();
  const made = await rows<{ id: string; sid: string }>(
    app.em(),
    `with made as (
       insert into users (email, email_norm, first_name, last_name, role, referral_code)
       select 's' || n || '@many.test', 's' || n || '@many.test', 'Sam', 'Many', 'recruiter', 'many-' || n from generate_series(1, ?::int) n returning id, email
     ), credentials as (
       insert into auth_credentials (user_id, email, password_hash, is_verified) select m.id, m.email, c.password_hash, true from made m, auth_credentials c where c.user_id = ? returning user_id
     ), sessions as (
       insert into auth_sessions (user_id, session_token, expires_at) select id, id::text, now() + interval '1 day' from made returning user_id, id
     ) select user_id as id, id as sid from sessions`,
    [count, model.id],
  );
  const jwt = app.get(JwtService);
  return made.map(({ id, sid }) => ({ id, token: jwt.sign({ sid }, { subject: id, expiresIn: 3_600 }) }));
}

/**
 * Source of a process that opens the streams and reports how many of them have received a change, and the total number
 * of events.
 */
const CLIENT = `
  const http = require('node:http');
  let text = '', open = 0, told = 0, events = 0;
  process.stdin.on('data', (part) => { text += part; });
  process.stdin.on('end', async () => {
    const { url, tokens } = JSON.parse(text);
    const agent = new http.Agent({ maxSockets: Infinity });
    for (const token of tokens) {
      await new Promise((go) => http.get(url + '/api/events', { agent, headers: { Authorization: 'Bearer ' + token } }, (answer) => {
        if (answer.statusCode === 200) open++;
        let own = 0;
        answer.on('data', (part) => {
          const changes = String(part).split('event: change').length - 1;
          if (changes > 0 && own === 0) told++;
          own += changes;
          events += changes;
        });
        go();
      }));
    }
    process.stdout.write('open ' + open + '\\n');
    setInterval(() => process.stdout.write('told ' + told + ' by ' + events + '\\n'), 500);
  });`;

it(`${STREAMS} streams are open concurrently, and each gets its account's changes`, async () => {
  const people = await tokens(STREAMS);
  client = spawn(process.execPath, ['-e', CLIENT], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  client.stdout!.on('data', (part) => (said += String(part)));
  client.stdin!.end(JSON.stringify({ url: app.url, tokens: people.map(({ token }) => token) }));
  await until(() => said.includes('open '));
  expect(said).toContain(`open ${STREAMS}\n`);
  const changes = people.map(({ id }) => `${id} contacts ${randomUUID()}`);
  await rows(app.em(), `select pg_notify('account_changes', value) from jsonb_array_elements_text(?::jsonb)`, [
    JSON.stringify(changes),
  ]);
  await until(() => said.endsWith(`told ${STREAMS} by ${STREAMS}\n`));
}, 300_000);
