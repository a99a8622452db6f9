import { expect } from '@jest/globals';
import { appendFileSync } from 'node:fs';
import type { FaultWorld } from './world.js';

interface Row {
  address: string;
  status: string;
  ambiguous: number;
  messageId: string | null;
}

export interface Judgement {
  /** Recipients of acknowledged sends whose delivery is still open, or is logged as sent although nothing arrived. */
  lost: string[];
  /** Number of copies beyond the first of each message. */
  extraCopies: number;
  /** Addresses that received mail but are in no acknowledged send, or are logged as failed or skipped. */
  ghosts: string[];
  /** Messages whose Message-ID differs between copies, or between a copy and the log. */
  torn: string[];
  /** Duplicates of messages that the log does not mark as possibly duplicated. */
  unmarked: string[];
  /** Sends whose history entry contradicts their delivery rows. */
  wrongHistory: string[];
  /** Users whose counted sends differ from their accepted sends, not counting those that failed completely. */
  wrongUsage: string[];
}

/**
 * Compares the mail server's log with the acknowledged sends. A test must use each address in one send only.
 * @param others addresses that may have received other mail
 */
export async function judge(world: FaultWorld, others: readonly string[] = []): Promise<Judgement> {
  const stored = new Map<string, string[]>();
  for (const { address, messageId } of world.sink.stored)
    stored.set(address, [...(stored.get(address) ?? []), messageId]);
  const result: Judgement = {
    lost: [],
    extraCopies: 0,
    ghosts: [],
    torn: [],
    unmarked: [],
    wrongHistory: [],
    wrongUsage: [],
  };
  const known = new Set(others);
  for (const { id, addresses } of world.acknowledged) {
    const { rows } = await world.db.query<Row>(
      `select recipient_email as address, status, ambiguous, message_id as "messageId" from email_delivery_logs where history_id = $1`,
      [id],
    );
    const byAddress = new Map(rows.map((row) => [row.address, row]));
    for (const address of addresses) {
      known.add(address);
      const ids = stored.get(address) ?? [];
      const row = byAddress.get(address);
      const status = row?.status;
      if (!status || ['queued', 'sending', 'deferred'].includes(status) || (status === 'sent' && ids.length === 0))
        result.lost.push(`${address}: ${status}`);
      if (['failed', 'skipped'].includes(status ?? '') && ids.length > 0)
        result.ghosts.push(`${address}: ${status} but stored`);
      if (ids.length > 1) result.extraCopies += ids.length - 1;
      if (ids.length > 1 && !row?.ambiguous) result.unmarked.push(`${address}: ${ids.length} copies`);
      if (new Set(status === 'sent' ? [...ids, row?.messageId] : ids).size > 1)
        result.torn.push(`${address}: ${ids.join(', ')}; logged ${row?.messageId}`);
    }
    const {
      rows: [history],
    } = await world.db.query<{ status: string }>('select status from email_history where id = $1', [id]);
    const out = rows.some(({ status }) => status === 'sent' || status === 'unconfirmed' || status === 'complained');
    if (history?.status !== (out ? 'sent' : 'failed')) result.wrongHistory.push(`${id}: ${history?.status}`);
  }
  for (const address of stored.keys())
    if (!known.has(address) && !address.endsWith('@sender.test')) result.ghosts.push(`${address}: unexpected`);
  const { rows } = await world.db.query<{ email: string }>(
    `select u.email from users u
     where (select coalesce(sum(emails_sent), 0) from usage_tracking t where t.user_id = u.id) <>
       (select count(*) from email_history h where h.user_id = u.id and not (h.status = 'failed' and not exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status = 'bounced')))`,
  );
  result.wrongUsage = rows.map(({ email }) => email);
  noteFigures(world, result);
  return result;
}

/** Appends a line for each run to the file that FAULT_FIGURES names. */
function noteFigures({ figures, acknowledged }: FaultWorld, { lost, extraCopies }: Judgement): void {
  if (!process.env.FAULT_FIGURES) return;
  const recipients = acknowledged.reduce((sum, { addresses }) => sum + addresses.length, 0);
  appendFileSync(
    process.env.FAULT_FIGURES,
    `${JSON.stringify({ test: expect.getState().currentTestName, recipients, lost: lost.length, extraCopies, ...figures })}\n`,
  );
}

/** The judgement that tests expect: nothing is wrong. Each test checks `extraCopies` against its own limit. */
export const clean = { lost: [], ghosts: [], torn: [], unmarked: [], wrongHistory: [], wrongUsage: [] };
