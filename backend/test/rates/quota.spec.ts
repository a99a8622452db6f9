import { describe, expect, it } from '@jest/globals';
import { BatchPreparer } from '../../src/modules/delivery/batches/batch-preparer.service.js';
import type { Claim } from '../../src/modules/delivery/batches/delivery-claims.service.js';
import { DeliveryTuning } from '../../src/modules/delivery/delivery-tuning.js';

const CLAIMS = ['a', 'b', 'c', 'd'].map((id) => ({ id, contactId: id }) as Claim);

/** How much one batch of four messages uses of the quota of three that it was granted. */
async function quotaUsed(fault: { rate?: Error; mark?: Error; judge?: Error }, mailable = ['a', 'b', 'c']) {
  let used = 0;
  const accounts = {
    reserveQuota: () => {
      used = 3;
      return Promise.resolve({
        granted: 3,
        pauseSeconds: 60,
        reservedAccount: 'acc',
        giveBack: (unsent: number) => Promise.resolve(void (used -= unsent)),
      });
    },
  };
  const answer = <T>(error: Error | undefined, value: T) => (error ? Promise.reject(error) : Promise.resolve(value));
  const preparer = new BatchPreparer(
    {
      claim: (_send: string, batch: Claim[]) =>
        answer(fault.mark, new Map(batch.map(({ id }) => [id, { contactId: id }]))),
      release: () => Promise.resolve(),
    } as never,
    {} as never,
    accounts as never,
    { take: () => answer(fault.rate, 0), until: () => Promise.resolve() } as never,
    {
      questionSql: () => '',
      judge: () => answer(fault.judge, { mailable: new Map(mailable.map((id) => [id, {}])), skipped: new Map() }),
    } as never,
    { open: () => undefined } as never,
    new DeliveryTuning(),
  );
  const made = await preparer
    .make({ id: 's', userId: 'u', recipientCount: 4 } as never, CLAIMS, true)
    .catch((error: Error) => error.message);
  return { used, made: typeof made === 'string' ? made : made.marked.length };
}

describe("a mail account's daily quota", () => {
  it('is charged only for the messages of a batch that may be sent', async () => {
    expect(await quotaUsed({})).toEqual({ used: 3, made: 3 });
    expect(await quotaUsed({}, ['b'])).toEqual({ used: 1, made: 3 });
    expect(await quotaUsed({}, [])).toEqual({ used: 0, made: 3 });
  });

  it.each(['rate', 'mark', 'judge'] as const)('is given back where %s fails', async (part) => {
    expect(await quotaUsed({ [part]: new Error('statement timeout') })).toEqual({ used: 0, made: 'statement timeout' });
  });
});
