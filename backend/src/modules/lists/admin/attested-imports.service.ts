import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { Keyset, type KeysetRow, withoutKeys } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Page } from '../../../shared/http/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { type Actor, AuditTrail } from '../../auth/index.js';
import { WORDING_VERSION } from '../unsubscribe/consent-log.js';
import type { AttestedBatchDto, AttestedBatchQuery } from './admin-contact.dto.js';
import type { AttestationState } from '../entities/contact-import.values.js';
import { importDecided, importNotFound, importRunning } from '../lists.errors.js';
import { isoTimeSql } from '../../../shared/text/formats.js';

const PAGE_ROWS = 50;
const SAMPLE_CONTACTS = 5;
const COLUMNS = `i.id, i.email_list_id as "listId", l.name as "listName", i.user_id as "userId", i.attestation, i.added as total,
  i.attestation_state as state, i.created_at as "createdAt", i.decided_at as "decidedAt", i.status in ('done', 'failed') as "isComplete",
  coalesce((select jsonb_agg(s) from (select c.email, c.name from subscriptions c where c.import_id = i.id limit ?) s), '[]') as sample`;
/** Contacts per statement. The admin's request waits for up to MAX_SYNCHRONOUS_CONTACTS; a job does the rest. */
const CONTACTS_PER_STATEMENT = 5_000;
const MAX_SYNCHRONOUS_CONTACTS = 20_000;

export type AttestationDecision = Exclude<AttestationState, 'waiting'>;

/** An attested import with its owner's id. */
export type AttestedBatch = AttestedBatchDto & { userId: string };

/** Imports with an attestation. An admin confirms or declines each as a whole (see decisions.md: attested-contacts). */
@Injectable()
export class AttestedImports {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
  ) {}

  async page(query: AttestedBatchQuery): Promise<Page<AttestedBatch>> {
    const limit = query.limit ?? PAGE_ROWS;
    const keyset = new Keyset(
      { createdAt: { expression: 'i.created_at', type: 'timestamptz' } },
      query.sort ?? '-createdAt',
      query.cursor,
      'i.id',
    );
    const condition = `i.attestation_state is not null and i.status <> 'uploading'`;
    const page = await readPage<AttestedBatch>(this.em.fork(), keyset, limit, {
      columns: COLUMNS,
      columnParams: [SAMPLE_CONTACTS],
      where: allOf([[condition], query.state && ['i.attestation_state = ?', query.state]]),
      from: 'contact_imports i join email_lists l on l.id = i.email_list_id',
      countFrom: 'contact_imports i',
    });
    return { ...page, rows: page.rows.map(viewOf) };
  }

  /** Numbers of confirmed and declined imports of these users, by user id. */
  async recordOf(userIds: string[]): Promise<Map<string, Record<AttestationDecision, number>>> {
    const found = await rows<{ id: string } & Record<AttestationDecision, number>>(
      this.em.fork(),
      `select user_id as id, (count(*) filter (where attestation_state = 'confirmed'))::int as confirmed, (count(*) filter (where attestation_state = 'declined'))::int as declined
       from contact_imports where attestation_state is not null and user_id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) group by 1`,
      [JSON.stringify(userIds)],
    );
    return new Map(found.map(({ id, confirmed, declined }) => [id, { confirmed, declined }]));
  }

  /**
   * Confirms all contacts of an import, or declines it; declining sends each of them the confirmation mail. Idempotent.
   * @returns number of affected contacts
   * @throws 404; 409 while its file is being read, or after the opposite decision
   */
  async decide(actor: Actor, importId: string, decision: AttestationDecision): Promise<number> {
    const contacts = await inTransaction(this.em, async (em) => {
      const [taken] = await rows<{ userId: string; listName: string }>(
        em,
        `update contact_imports i set attestation_state = ?, decided_at = now(), decided_by = ? from email_lists l
         where i.id = ? and l.id = i.email_list_id and i.attestation_state = 'waiting' and i.status in ('done', 'failed') returning i.user_id as "userId", l.name as "listName"`,
        [decision, actor.id, importId],
      );
      if (!taken) return this.repeat(em, importId, decision);
      const held = await this.count(em, `opt_in_state = 'held'`, importId);
      const detail = `${held} ${held === 1 ? 'contact' : 'contacts'} on "${taken.listName}"`;
      await this.audit.recordAction(em, actor, { kind: `import.${decision}`, ownerId: taken.userId, detail });
      return held;
    });
    for (let done = 0; done < MAX_SYNCHRONOUS_CONTACTS; done += CONTACTS_PER_STATEMENT)
      if (await this.carryOutPart(importId)) return contacts;
    await this.jobs.enqueue('imports', { importId }, { jobId: `decided:${importId}` });
    return contacts;
  }

  /** Applies the decision to the next contacts; resumable after a crash. @returns true if no contact is left for now */
  async carryOutPart(importId: string): Promise<boolean> {
    const em = this.em.fork();
    const [open] = await rows<{ state: AttestationDecision }>(
      em,
      `select attestation_state as state from contact_imports where id = ? and decided_at is not null and carried_out_at is null`,
      [importId],
    );
    if (!open) return true;
    const [part] = await rows<{ found: number }>(em, open.state === 'confirmed' ? CONFIRM_PART : DECLINE_PART, [
      importId,
      CONTACTS_PER_STATEMENT,
      WORDING_VERSION,
    ]);
    if ((part?.found ?? 0) > 0) return false;
    const ended = await changed(
      em,
      `update contact_imports set carried_out_at = now() where id = ? and carried_out_at is null
         and not exists (select 1 from subscriptions where import_id = ? and opt_in_state = 'held') and not exists (${RESTORABLE_HELD})`,
      [importId, importId, importId],
    );
    if (ended === 1 && open.state === 'declined') await this.jobs.kick('opt-in');
    // A removed contact that can still be restored would come back on hold. So the import stays open, and the import
    // sweeper looks again later.
    return ended === 1 || (await rows(em, RESTORABLE_HELD, [importId])).length > 0;
  }

  private async repeat(em: EntityManager, importId: string, decision: AttestationDecision): Promise<number> {
    const [known] = await rows<{ state: AttestationState }>(
      em,
      `select attestation_state as state from contact_imports where id = ? and attestation_state is not null`,
      [importId],
    );
    if (!known) throw importNotFound();
    if (known.state === 'waiting') throw importRunning();
    if (known.state !== decision) throw importDecided(known.state);
    return this.count(
      em,
      decision === 'confirmed' ? `(opt_in_state = 'held' or consent ->> 'how' = 'attestation')` : `not confirmed`,
      importId,
    );
  }

  private async count(em: EntityManager, condition: string, importId: string): Promise<number> {
    const [found] = await rows<{ n: number }>(
      em,
      `select count(*)::int as n from subscriptions where import_id = ? and ${condition}`,
      [importId],
    );
    return found?.n ?? 0;
  }
}

/** Removed contacts of an import that can still be restored, and would come back on hold. */
const RESTORABLE_HELD = `select 1 from removed_contacts r where r.contact ->> 'import_id' = ? and r.contact ->> 'opt_in_state' = 'held'`;

function viewOf(row: AttestedBatch & KeysetRow): AttestedBatch {
  const batch = withoutKeys(row);
  return {
    ...batch,
    createdAt: new Date(batch.createdAt).toISOString(),
    decidedAt: batch.decidedAt && new Date(batch.decidedAt).toISOString(),
  };
}

const ON_HOLD = `
  decision as (
    select i.id, i.decided_by, i.decided_at, i.attestation, l.id as list_id, l.name as list_name, l.owner_id
    from contact_imports i join email_lists l on l.id = i.email_list_id where i.id = ?
  ), held as (
    select c.id from subscriptions c join decision d on c.import_id = d.id where c.opt_in_state = 'held' limit ? for update of c skip locked
  )`;

/** Adds a consent log entry for each contact, with the attestation as evidence. */
const logged = (kind: string): string => `
  logged as (
    insert into consent_events (address_hash, address_norm, contact_id, email_list_id, owner_id, kind, how, wording_version, details)
    select m.email_hash, m.email_norm, m.id, d.list_id, d.owner_id, '${kind}', 'attestation', ?,
           jsonb_build_object('attestation', d.attestation, 'actorId', d.decided_by, 'decidedAt', d.decided_at, 'importId', d.id, 'listName', d.list_name)
    from moved m cross join decision d
  )
  select count(*)::int as found from moved`;

const CONFIRM_PART = `with ${ON_HOLD}, moved as (
    update subscriptions c set confirmed = true, confirmed_at = d.decided_at, introduction_due = true, opt_in_state = 'none',
           consent = jsonb_build_object('at', ${isoTimeSql('d.decided_at')}, 'how', 'attestation', 'actor', d.decided_by, 'form', 'import')
    from held h cross join decision d where c.id = h.id returning c.id, c.email_hash, c.email_norm
  ), ${logged('attested')}`;

const DECLINE_PART = `with ${ON_HOLD}, moved as (
    update subscriptions c set opt_in_state = 'due', opt_in_due_at = now() from held h where c.id = h.id returning c.id, c.email_hash, c.email_norm
  ), ${logged('declined')}`;
