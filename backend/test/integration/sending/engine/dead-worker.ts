import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { BOOT_ID } from '../../../../src/modules/delivery/results/boot-id.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import type { TestApp } from '../../../kit/app.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send } from '../support.js';

/** Token with which the rows are claimed. */
export const TOKEN = 7;

/** A send to three people that a worker has claimed before it died. No delivery jobs run until the queue resumes. */
export async function claimedByDeadWorker(app: TestApp, user: SignedUp, addresses: string[]) {
  const queue = app.get(JobQueue).queue('deliveries');
  await queue.pause();
  const sendId = await send(user, await seedList(app, user, { addresses }));
  const claims = app.get(DeliveryClaims);
  const claimed = await claims.claim(sendId, await claims.peekDue({ sendId, from: 1, to: 3 }), undefined, TOKEN);
  if (claimed.size < addresses.length) throw new Error('a worker of the app was faster');
  const ids = await rows<{ id: string; name: string }>(
    app.em(),
    `select id, split_part(recipient_email, '@', 1) as name from email_delivery_logs where history_id = ?`,
    [sendId],
  );
  const keyOf = (name: string) => ({ id: ids.find((row) => row.name === name)!.id, attempt: 1 });
  return {
    queue,
    sendId,
    keys: ids.map(({ id }) => ({ id, attempt: 1 })),
    /** Line of a result log. */
    lineOf: (name: string, rest: object): string => JSON.stringify({ ...keyOf(name), ...rest }),
    /** First line of the start log of a batch with these messages. */
    firstLine: (claimToken: number, ...names: string[]): string =>
      `${JSON.stringify({ boot: BOOT_ID, claimToken, messages: names.map(keyOf) })}\n`,
    endLeases: () =>
      rows(app.em(), `update email_delivery_logs set lease_until = now() - interval '1 second' where history_id = ?`, [
        sendId,
      ]),
    rowsAfter: () =>
      rows<{ name: string; status: string; ambiguous: number; messageId: string | null }>(
        app.em(),
        `select split_part(recipient_email, '@', 1) as name, status, ambiguous, message_id as "messageId"
         from email_delivery_logs where history_id = ? order by 1`,
        [sendId],
      ),
  };
}

/** Writes a file that a dead worker left. */
export function leave(app: TestApp, folder: 'results' | 'groups', name: string, text: string): void {
  mkdirSync(join(app.settings.dataDir, folder), { recursive: true });
  writeFileSync(join(app.settings.dataDir, folder, name), text);
}
