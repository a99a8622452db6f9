import { describe, expect, it } from '@jest/globals';
import { BatchPreparer } from '../../src/modules/delivery/batches/batch-preparer.service.js';
import type { Claim } from '../../src/modules/delivery/batches/delivery-claims.service.js';
import { DeliveryTuning } from '../../src/modules/delivery/delivery-tuning.js';
import { ConfiguredAccountRate } from '../../src/modules/delivery/throttling/configured-account-rate.service.js';
import { NEVER_USED, reserve, type SlotRequest } from '../../src/modules/mail-accounts/index.js';
import { Clock, START } from './rate-simulation.js';

const PER_SECOND = 20;

/**
 * Number of messages that one range sends within a minute at 20 a second, if the statement that marks a batch takes
 * `markMs`.
 */
async function sentInAMinute(markMs: number): Promise<number> {
  const clock = new Clock();
  const waited = (ms: number): Promise<void> => new Promise((go) => clock.at(clock.now + ms, go));
  let state = NEVER_USED;
  const limiter = {
    reserve: async (_account: string, [request]: SlotRequest[]) => {
      await waited(3);
      const found = reserve(state, request!, clock.now);
      state = found.state;
      return new Map([['*', found.reservation]]);
    },
  };
  const accounts = {
    rateOf: () => PER_SECOND,
    rateOfFirst: PER_SECOND,
    reserveQuota: (messages: number) =>
      Promise.resolve({ granted: messages, pauseSeconds: 0, reservedAccount: 'a', giveBack: () => Promise.resolve() }),
  };
  const rate = new (class extends ConfiguredAccountRate {
    protected override now = () => clock.now;
    protected override sleep = waited;
  })({ sendRate: 0 } as never, limiter as never, accounts as never);
  const claims = {
    claim: async (_send: string, batch: Claim[]) => {
      await waited(markMs);
      return new Map(batch.map(({ id }) => [id, { contactId: id }]));
    },
  };
  const recipients = {
    questionSql: () => '',
    judge: (_send: object, ours: Claim[]) =>
      Promise.resolve({ mailable: new Map(ours.map(({ contactId }) => [contactId, {}])), skipped: new Map() }),
  };
  const preparer = new (class extends BatchPreparer {
    protected override now = () => clock.now;
  })(
    claims as never,
    {} as never,
    accounts as never,
    rate,
    recipients as never,
    { open: () => undefined } as never,
    new DeliveryTuning(),
  );
  let sent = 0;
  const send = async (): Promise<void> => {
    for (;;) {
      const batch = Array.from({ length: preparer.largest }, (_, i) => ({ id: `${i}`, contactId: `${i}` }) as Claim);
      const { marked } = await preparer.make({ id: 's', userId: 'u', recipientCount: 5_000 } as never, batch, true);
      sent += marked.length;
    }
  };
  void send();
  while (clock.now < START + 60_000) {
    clock.runUntil(clock.now + 2);
    await new Promise((settled) => setImmediate(settled));
  }
  return sent;
}

describe("an account's messages a second", () => {
  it.each([10, 200, 600, 900])(
    'are used up by a single send, although marking its batches takes %d ms',
    async (markMs) => {
      const sent = await sentInAMinute(markMs);
      expect(sent / (60 * PER_SECOND)).toBeGreaterThan(0.9);
      expect(sent / (60 * PER_SECOND)).toBeLessThan(1.1);
    },
  );
});
