import type { FaultWorld } from './world.js';

interface Row {
  address: string;
  status: string;
  ambiguous: number;
}

export interface Judgement {
  /** Recipients of acknowledged sends whose fate is open, or that count as sent and never arrived. */
  lost: string[];
  /** Copies beyond the first of one message. */
  extraCopies: number;
  /** Addresses that got mail and are in no acknowledged send's snapshot, or that the log calls failed or skipped. */
  ghosts: string[];
  /** Messages of which copies differ in Message-ID. */
  torn: string[];
  /** Sends whose history does not follow from their rows. */
  wrongHistory: string[];
  /** Users whose counted sends are not the accepted less the wholly failed. */
  wrongUsage: string[];
}

/**
 * Compares the mail server's own log with what was acknowledged: the invariants I1 to I5. Each test uses every address in one send only.
 * @param others who may have had mail besides
 */
export async function judge(world: FaultWorld, others: readonly string[] = []): Promise<Judgement> {
  const stored = new Map<string, string[]>();
  for (const { address, messageId } of world.sink.stored) stored.set(address, [...(stored.get(address) ?? []), messageId]);
  const result: Judgement = { lost: [], extraCopies: 0, ghosts: [], torn: [], wrongHistory: [], wrongUsage: [] };
  const known = new Set(others);
  for (const { id, addresses } of world.acknowledged) {
    const { rows } = await world.db.query<Row>(`select recipient_email as address, status, ambiguous from email_delivery_logs where history_id = $1`, [id]);
    const byAddress = new Map(rows.map((row) => [row.address, row]));
    for (const address of addresses) {
      known.add(address);
      const ids = stored.get(address) ?? [];
      const status = byAddress.get(address)?.status;
      if (!status || ['queued', 'sending', 'deferred'].includes(status) || (status === 'sent' && ids.length === 0)) result.lost.push(`${address}: ${status}`);
      if (['failed', 'skipped'].includes(status ?? '') && ids.length > 0) result.ghosts.push(`${address}: ${status} but stored`);
      if (ids.length > 1) result.extraCopies += ids.length - 1;
      if (new Set(ids).size > 1) result.torn.push(address);
    }
    const { rows: [history] } = await world.db.query<{ status: string }>('select status from email_history where id = $1', [id]);
    const out = rows.some(({ status }) => status === 'sent' || status === 'unconfirmed' || status === 'complained');
    if (history?.status !== (out ? 'sent' : 'failed')) result.wrongHistory.push(`${id}: ${history?.status}`);
  }
  for (const address of stored.keys()) if (!known.has(address) && !address.endsWith('@sender.test')) result.ghosts.push(`${address}: unexpected`);
  const { rows } = await world.db.query<{ email: string }>(
    `select u.email from users u
     where (select coalesce(sum(emails_sent), 0) from usage_tracking t where t.user_id = u.id) <>
       (select count(*) from email_history h where h.user_id = u.id and not (h.status = 'failed' and not exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status = 'bounced')))`,
  );
  result.wrongUsage = rows.map(({ email }) => email);
  return result;
}

/** What a run must look like, with so many extra copies at most. */
export const clean = { lost: [], ghosts: [], torn: [], wrongHistory: [], wrongUsage: [] };
