import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction, rows, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import { storableJson } from '../../../shared/database/queries/storable-text.js';
import {
  companyDomain,
  LabelMapping,
  type LabelTargets,
  ProfileBackfillProgress,
  upsertProfiles,
  valuesOf,
} from '../../contacts/index.js';
import { nameParts } from '../contacts/name-parts.js';

/** Contacts per transaction. Few, because each may have 64 KB of further columns, and they stay locked meanwhile. */
const CONTACTS_PER_TRANSACTION = 1_000;
/**
 * Maximum number of labels of further columns that become fields. The values of other labels stay with the contacts.
 */
const MAX_LABELS = 100;

const labelsOf = (contacts: readonly Pick<Unprofiled, 'attributes'>[]): string[] =>
  [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes ?? {})))].sort();

interface Unprofiled {
  id: string;
  emailNorm: string;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  attributes: Record<string, string> | null;
}

/**
 * Creates profiles for the contacts of owned lists that have none. Each batch is one transaction that locks its
 * account, so any number of workers may run it, and a killed one loses at most one batch.
 */
@Injectable()
export class ProfileBackfill {
  /** Labels by account, cached because batches of several accounts alternate. */
  private readonly labelsByOwner = new Map<string, readonly string[]>();

  constructor(
    private readonly em: EntityManager,
    private readonly preparations: ProfileBackfillProgress,
    private readonly labels: LabelMapping,
  ) {}

  /** Processes one batch of any account. @returns whether there may be more */
  batch(): Promise<boolean> {
    return retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        const ownerId = await this.preparations.claim(em);
        if (!ownerId) return false;
        await withoutTimeLimit(em);
        // Read before contacts are locked, because it may read all contacts of the account.
        const labels = await this.labelsFor(ownerId);
        const found = await rows<Unprofiled>(em, FIND, [ownerId]);
        if (found.length === 0) {
          await this.preparations.finish(em, ownerId);
          this.labelsByOwner.delete(ownerId);
        } else {
          await this.write(em, ownerId, found, labels);
          await this.preparations.add(em, ownerId, found.length);
        }
        return true;
      }),
    );
  }

  /** Restarts the backfill of accounts to which an instance of an earlier version has added contacts. */
  async reopenForUnlinkedContacts(): Promise<void> {
    const unlinked = await rows<{ ownerId: string; total: number }>(this.em.fork(), UNLINKED);
    await this.preparations.open(this.em.fork(), unlinked);
  }

  private async write(
    em: EntityManager,
    ownerId: string,
    found: readonly Unprofiled[],
    labels: readonly string[],
  ): Promise<void> {
    const targets = await this.targetsOf(ownerId, found, labels);
    const given = found.map(({ id, emailNorm, name, firstName, lastName, attributes }) => {
      const parts = firstName === null && lastName === null ? nameParts(name) : { firstName, lastName };
      const values = attributes && targets.size > 0 ? valuesOf(attributes, targets) : null;
      return {
        id,
        company_domain: companyDomain(emailNorm),
        first_name: parts.firstName,
        last_name: parts.lastName,
        company: values?.company,
        job_title: values?.jobTitle,
        phone: values?.phone,
        phone_e164: values?.phoneE164,
        city: values?.city,
        region: values?.region,
        fields: values?.fields ?? {},
      };
    });
    await changed(em, WRITE, [storableJson(given), ownerId]);
  }

  /** The account's labels, read once for all its batches. */
  private async labelsFor(ownerId: string): Promise<readonly string[]> {
    const known = this.labelsByOwner.get(ownerId);
    if (known) return known;
    const found = await rows<{ label: string }>(this.em.fork(), LABELS, [ownerId, ownerId]);
    const labels = found.map(({ label }) => label);
    this.labelsByOwner.set(ownerId, labels);
    return labels;
  }

  /** Targets of the further columns of these contacts. */
  private async targetsOf(
    ownerId: string,
    found: readonly Unprofiled[],
    labels: readonly string[],
  ): Promise<LabelTargets> {
    const targets: LabelTargets = new Map();
    if (!found.some(({ attributes }) => attributes)) return targets;
    // An earlier version may not have recorded the labels of a list.
    const own = labels.length < MAX_LABELS ? labelsOf(found) : [];
    await this.labels.complete(ownerId, targets, [...labels, ...own]);
    return targets;
  }
}

/** The next contacts without a profile, of one list. Locks them, so that no name can change meanwhile. */
const FIND = `
  with list as (
    select l.id from email_lists l where l.owner_id = ? and exists (select 1 from subscriptions c where c.email_list_id = l.id and c.profile_id is null) order by l.id limit 1
  )
  select c.id, c.email_norm as "emailNorm", c.name, c.first_name as "firstName", c.last_name as "lastName", c.attributes
  from subscriptions c where c.email_list_id = (select id from list) and c.profile_id is null order by c.id limit ${CONTACTS_PER_TRANSACTION} for no key update`;

/**
 * Writes the profiles, and links the contacts to them. The addresses of a batch differ, because they are all from one
 * list.
 */
const WRITE = `
  with given as (
    select g.*, c.email, c.email_norm, c.email_hash, c.source, c.import_id, c.created_at
    from jsonb_to_recordset(?::jsonb) as g(id uuid, company_domain text, first_name text, last_name text, company text, job_title text, phone text, phone_e164 text, city text, region text, fields jsonb)
    join subscriptions c on c.id = g.id
  ), p as (${upsertProfiles(`(
    select ?::uuid as owner_id, email, email_norm, email_hash, company_domain, first_name, last_name, company, job_title, phone, phone_e164, city, region, null::text as country, null::text as time_zone, '{}'::int[] as tag_ids, fields,
      source, import_id, null::int as import_line, created_at
    from given) incoming`)}
  )
  update subscriptions c set profile_id = p.id, company_domain = g.company_domain, first_name = coalesce(c.first_name, g.first_name), last_name = coalesce(c.last_name, g.last_name)
  from given g join p on p.email_hash = g.email_hash where c.id = g.id`;

/**
 * The most frequent labels of an account's further columns. They are counted only if there are more than MAX_LABELS.
 */
const LABELS = `
  with labels as (
    select distinct f.label from contact_fields f join email_lists l on l.id = f.email_list_id where l.owner_id = ?
  ), few as (select count(*) <= ${MAX_LABELS} as are_few from labels)
  (select label from labels where (select are_few from few) order by label)
  union all
  (select k.label from email_lists l join subscriptions c on c.email_list_id = l.id cross join lateral jsonb_object_keys(c.attributes) as k(label)
   where not (select are_few from few) and l.owner_id = ? and c.attributes is not null group by k.label order by count(*) desc, k.label limit ${MAX_LABELS})`;

const UNLINKED = `
  select l.owner_id as "ownerId", sum(n.total)::int as total
  from email_lists l
  cross join lateral (select count(*) as total from subscriptions c where c.email_list_id = l.id and c.profile_id is null) n
  where l.owner_id is not null and not l.is_default
    and exists (select 1 from subscriptions c where c.email_list_id = l.id and c.profile_id is null)
  group by l.owner_id`;
