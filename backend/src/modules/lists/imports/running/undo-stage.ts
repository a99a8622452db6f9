import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { backOffWhileBusy } from '../../../../shared/database/background-backoff.js';
import { retryDeadlocks } from '../../../../shared/database/queries/retry-deadlocks.js';
import { inTransaction, rows, withoutTimeLimit } from '../../../../shared/database/queries/rows.js';
import { countImported, type ImportedProfiles, removeImported } from '../../../contacts/index.js';
import type { UndoKept } from '../../entities/contact-import.values.js';
import { MailedContacts } from './mailed-contacts.registry.js';
import {
  type ClaimedImport,
  recordProgress,
  recordRepeatable,
  type SliceClock,
  type SliceEnd,
} from './claimed-import.js';

const CONTACTS_PER_TRANSACTION = 2_000;

/**
 * Removes what an import added: members of its list whom no message has reached and who have not confirmed, then
 * profiles that it created and that are on no list now. Values that it changed stay.
 */
@Injectable()
export class UndoStage {
  constructor(
    private readonly em: EntityManager,
    private readonly mailed: MailedContacts,
  ) {}

  async slice(claimed: ClaimedImport, clock: SliceClock): Promise<SliceEnd> {
    let phase = claimed.checkpoint?.phase === 'people' ? 'people' : 'members';
    for (;;) {
      const removed = await retryDeadlocks(() =>
        inTransaction(this.em, (em) => (phase === 'members' ? this.members(em, claimed) : this.people(em, claimed))),
      );
      if (removed < CONTACTS_PER_TRANSACTION && phase === 'people') {
        await this.finish(claimed);
        return 'ended';
      }
      if (removed < CONTACTS_PER_TRANSACTION) phase = 'people';
      if (clock.isOver()) return 'more';
      await backOffWhileBusy(this.em.fork());
    }
  }

  private async members(em: EntityManager, claimed: ClaimedImport): Promise<number> {
    await withoutTimeLimit(em);
    const [found] = await rows<{ members: number; people: number; known: number }>(em, removeMembers(this.mailed.sql), [
      claimed.id,
      claimed.id,
      claimed.ownerId,
    ]);
    const { members, people, known } = found!;
    await recordProgress(em, claimed, `removed = removed + ?, taken_off = taken_off + ?, checkpoint = ?::jsonb`, [
      people,
      known,
      JSON.stringify({ phase: members < CONTACTS_PER_TRANSACTION ? 'people' : 'members', at: 0 }),
    ]);
    return members;
  }

  private async people(em: EntityManager, claimed: ClaimedImport): Promise<number> {
    await withoutTimeLimit(em);
    const profiles = profilesOf(claimed);
    const removed = profiles
      ? await removeImported(
          em,
          profiles,
          `not exists (select 1 from subscriptions c where c.profile_id = p.id)`,
          CONTACTS_PER_TRANSACTION,
        )
      : 0;
    const record = removed > 0 ? recordProgress : recordRepeatable;
    await record(em, claimed, `removed = removed + ?`, [removed]);
    return removed;
  }

  private async finish(claimed: ClaimedImport): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await withoutTimeLimit(em);
      const [members] = await rows<{ mailed: number; confirmed: number; other: number }>(
        em,
        keptMembers(this.mailed.sql),
        [claimed.id],
      );
      const profiles = profilesOf(claimed);
      const elsewhere = profiles
        ? await countImported(
            em,
            profiles,
            `not exists (select 1 from subscriptions c where c.profile_id = p.id and c.import_id = p.import_id)`,
          )
        : 0;
      const { mailed, confirmed, other } = members!;
      const counts: Record<UndoKept, number> = { mailed, confirmed, other: other + elsewhere };
      const kept = (Object.keys(counts) as UndoKept[])
        .map((reason) => ({ reason, count: counts[reason] }))
        .filter(({ count }) => count > 0);
      await recordProgress(
        em,
        claimed,
        `status = 'undone', stage = null, checkpoint = null, kept = ?::jsonb, attestation_state = case when attestation_state = 'waiting' then null else attestation_state end`,
        [JSON.stringify(kept)],
      );
    });
  }
}

/** The profiles that the import created. @returns null for the default list, which has no profiles */
const profilesOf = ({ id, ownerId, committedAt }: ClaimedImport): ImportedProfiles | null =>
  ownerId ? { ownerId, importId: id, since: new Date(committedAt ?? 0) } : null;

/**
 * Removes members from the list, and counts them: a member without a profile as a removed person, one whose profile
 * existed before the import as taken off. A member whose profile the import created is counted when the profile is
 * deleted.
 */
const removeMembers = (isMailed: string): string => `
  with members as (
    select c.id from subscriptions c where c.import_id = ? and not c.confirmed and not ${isMailed} limit ${CONTACTS_PER_TRANSACTION} for update of c
  ), retired as (
    insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
    select c.unsubscribe_token, c.email, c.email_norm, c.email_hash, l.owner_id, l.id, l.name
    from members m join subscriptions c on c.id = m.id join email_lists l on l.id = c.email_list_id on conflict (token) do nothing
  ), gone as (
    delete from subscriptions c using members m where c.id = m.id returning c.profile_id
  )
  select count(*)::int as members,
    (count(*) filter (where gone.profile_id is null))::int as people,
    (count(*) filter (where gone.profile_id is not null and not exists (select 1 from contact_profiles p where p.id = gone.profile_id and p.import_id = ?::uuid and p.owner_id = ?::uuid)))::int as known
  from gone`;

const keptMembers = (isMailed: string): string => `
  select (count(*) filter (where mailed))::int as mailed, (count(*) filter (where not mailed and confirmed))::int as confirmed, (count(*) filter (where not mailed and not confirmed))::int as other
  from (select c.confirmed, ${isMailed} as mailed from subscriptions c where c.import_id = ?) m`;
