import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { SendingTuning } from '../../../src/modules/sending/sending-tuning.js';
import { rows } from '../../../src/shared/database/rows.js';
import { type AppOptions, startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

/** The product with the sending path's waits cut to seconds. */
export function startSending(tuning: Partial<SendingTuning> = {}, options: AppOptions = {}): Promise<TestApp> {
  const value = Object.assign(new SendingTuning(), { sweepMs: 500, holdSeconds: 1, progressMs: 50, ...tuning });
  return startApp({ ...options, override: (builder) => (options.override?.(builder) ?? builder).overrideProvider(SendingTuning).useValue(value) });
}

export interface SeededList {
  id: string;
  name: string;
}

/** A list with contacts straight in the database: `addresses`, or p1…pn at a domain. */
export async function seedList(
  app: TestApp,
  owner: { id: string } | null,
  { count = 0, addresses = Array.from({ length: count }, (_, i) => `p${i + 1}@people.test`), confirmed = true, type = 'job-posts', name = 'Java people' } : {
    count?: number; addresses?: string[]; confirmed?: boolean; type?: string; name?: string;
  } = {},
): Promise<SeededList> {
  const em = app.em();
  const id = owner ? randomUUID() : (await rows<{ id: string }>(em, `select id from email_lists where is_default`))[0]!.id;
  if (owner) await rows(em, `insert into email_lists (id, name, slug, owner_id) values (?, ?, ?, ?)`, [id, name, `s-${id}`, owner.id]);
  await rows(
    em,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, lower(e), sha256(lower(e)::bytea), ?, ?, now(), rtrim(translate(encode(sha256((e || ?)::bytea), 'base64'), '+/', '-_'), '='), ?, 'none'
     from jsonb_array_elements_text(?::jsonb) e`,
    [type, confirmed, id, id, JSON.stringify(addresses)],
  );
  return { id, name };
}

export const sendBody = (list: SeededList | SeededList[], extra: Record<string, unknown> = {}) => ({
  emailListIds: (Array.isArray(list) ? list : [list]).map(({ id }) => id), subject: 'Senior Java developer', content: 'Hello,\nare you free?', emailType: 'job-post', ...extra,
});

export async function send(user: SignedUp, list: SeededList, extra: Record<string, unknown> = {}): Promise<string> {
  const answer = await user.agent.post('/api/send-email').send(sendBody(list, extra)).expect(202);
  return answer.body.id as string;
}

/** Waits until a send has ended and returns its entry. */
export async function settled(user: SignedUp, id: string, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  for (;;) {
    const { body } = await user.agent.get(`/api/email-history/${id}`).expect(200);
    if (body.status !== 'pending') return body as { status: string; recipientCount: string; counts: Record<string, number>; lists: { id: string; name: string }[] };
    if (Date.now() > end) throw new Error(`the send is still pending: ${JSON.stringify(body.counts)}`);
    await pause(50);
  }
}

export async function sentToday(user: SignedUp): Promise<string> {
  return (await user.agent.get('/api/usage/today').expect(200)).body.emailsSent as string;
}

/** A sink that does what the recipient's local part says (guide/email.md §8): t450xN-, p550-, pol554-, cutdotN-, hang-. */
export class FaultySink {
  /** Every RCPT, whether taken or not. */
  readonly attempts: { address: string; at: number }[] = [];
  /** Every body taken to its end, whether answered or not. */
  readonly stored: { address: string; messageId: string; raw: string }[] = [];
  /** While true every MAIL FROM is refused. */
  refuseSender = false;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom: (_address, _session, done) => done(this.refuseSender ? refusal(550, '550 5.7.1 sender refused') : null),
    onRcptTo: ({ address }, _session, done) => {
      this.attempts.push({ address, at: Date.now() });
      const [, times] = /^t450x(\d+)-/.exec(address) ?? [];
      if (times && this.attemptsOf(address) <= Number(times)) return done(refusal(450, '450 4.7.1 greylisted'));
      if (address.startsWith('p550-')) return done(refusal(550, '550 5.1.1 no such user'));
      return done();
    },
    onData: (stream, session, done) => {
      const address = session.envelope.rcptTo[0]!.address;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (address.startsWith('pol554-')) return done(refusal(554, '554 5.7.1 looks like spam'));
        const raw = Buffer.concat(chunks).toString();
        this.stored.push({ address, raw, messageId: /^Message-ID: (.*)$/im.exec(raw)![1]!.trim() });
        const [, times] = /^cutdot(\d+)-/.exec(address) ?? [];
        if (times && this.storedOf(address).length <= Number(times)) return this.cut(session.id);
        if (address.startsWith('hang-') && this.hanging) return undefined;
        return done();
      });
    },
  });
  /** While true, hang- messages are stored and never answered. */
  hanging = true;

  async listen(): Promise<string> {
    this.server.on('error', () => undefined);
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', () => ready()));
    return `smtp://127.0.0.1:${(this.server.server.address() as { port: number }).port}`;
  }

  attemptsOf = (address: string): number => this.attempts.filter((one) => one.address === address).length;
  storedOf = (address: string) => this.stored.filter((one) => one.address === address);

  /** Drops every open connection. */
  cutAll(): void {
    for (const connection of this.connections()) connection._socket.destroy();
  }

  close(): Promise<void> {
    this.cutAll();
    return new Promise((done) => this.server.close(() => done()));
  }

  private cut(sessionId: string): void {
    for (const connection of this.connections()) if (connection.session.id === sessionId) connection._socket.destroy();
  }

  private connections() {
    return [...(this.server as unknown as { connections: Set<{ session: { id: string }; _socket: { destroy(): void } }> }).connections];
  }
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message.slice(4)), { responseCode });
