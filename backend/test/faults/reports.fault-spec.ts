import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { freePort } from '../kit/free-port.js';
import { until } from '../kit/until.js';
import { complaint, deliveryReport } from '../kit/samples/mail-reports.js';
import { faults, many } from './kit/suite.js';

const BOUNCES = 250;
const COMPLAINTS = 250;
const LANES = 20;

faults('incoming reports', (fault) => {
  it('a burst of 500 bounces and complaints while the database restarts: each is counted once', async () => {
    const { world, after } = fault;
    await world.start({ workers: 0, env: { BOUNCE_DOMAIN: 'bounces.staffcast.test' } });
    const port = await freePort();
    await (await world.addWorker({ BOUNCE_PORT: String(port) })).ready();
    const account = await world.account();
    const addresses = many('ok', BOUNCES + COMPLAINTS);
    const id = await world.send(account, addresses);
    await world.settled();

    const waiting = addresses.map((address, i) => {
      const to = world.sink.storedOf(address)[0]!.envelopeFrom;
      return {
        to,
        raw: i < BOUNCES ? deliveryReport(to, [{ recipient: address }]) : complaint(to, to, { recipient: address }),
      };
    });
    let taken = 0;
    let refused = 0;
    const hand = async (): Promise<void> => {
      const client = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, pool: true, maxConnections: 1 });
      for (let report = waiting.pop(); report; report = waiting.pop()) {
        const give = () => client.sendMail({ envelope: { from: '', to: report!.to }, raw: report!.raw });
        try {
          await give();
          taken++;
          // Sends the report again, like a mail server whose connection broke before it read the answer.
          if (taken % 5 === 0) await give().catch(() => undefined);
        } catch {
          refused++;
          waiting.unshift(report);
          // eslint-disable-next-line staffcast/no-bare-wait -- a mail server that waits before it tries again
          await pause(200);
        }
      }
      client.close();
    };
    const hands = Array.from({ length: LANES }, hand);
    await until('reports are taken', () => taken > 50);
    await after(0, 200);
    world.toDatabase.refuse();
    await until('reports are refused', () => refused > 0);
    await after(500, 1500);
    world.toDatabase.open();
    await Promise.all(hands);

    expect([taken, refused > 0]).toEqual([BOUNCES + COMPLAINTS, true]);
    const { rows } = await world.db.query<{ status: string; n: number }>(
      `select status, count(*)::int as n from email_delivery_logs group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { status: 'bounced', n: BOUNCES },
      { status: 'complained', n: COMPLAINTS },
    ]);
    const { rows: reports } = await world.db.query<{ n: number; open: number }>(
      `select count(*)::int as n, count(*) filter (where applied_at is null)::int as open from bounce_reports`,
    );
    expect(reports).toEqual([{ n: BOUNCES + COMPLAINTS, open: 0 }]);
    const { rows: suppressed } = await world.db.query<{ reason: string; n: number }>(
      `select reason, count(*)::int as n from suppressions group by 1 order by 1`,
    );
    expect(suppressed).toEqual([
      { reason: 'bounced', n: BOUNCES },
      { reason: 'complained', n: COMPLAINTS },
    ]);
    const entry = (await (await world.get(`/api/email-history/${id}`, account)).json()) as {
      status: string;
      counts: Record<string, number>;
    };
    expect([entry.status, entry.counts]).toMatchObject(['sent', { bounced: BOUNCES, complained: COMPLAINTS }]);
  });
});
