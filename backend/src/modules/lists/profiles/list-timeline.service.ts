import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import {
  EvidenceSources,
  olderThan,
  type TimelineEntry,
  type TimelineSource,
  TimelineSources,
} from '../../contacts/index.js';
import type { ConsentEventKind } from '../entities/consent-event.entity.js';

interface ConsentRow {
  id: string;
  kind: ConsentEventKind;
  how: string;
  at: string | Date;
  ip: string | null;
  userAgent: string | null;
  wordingVersion: string | null;
  details: Record<string, unknown> | null;
  listId: string | null;
  listName: string | null;
}

interface JoinRow {
  id: string;
  at: string | Date;
  source: string;
  /** Line of the file, if the import created both membership and profile. */
  line: number | null;
  file: string | null;
  listId: string;
  listName: string;
}

/** A profile that an import created without adding the person to a list. */
interface MadeRow {
  id: string;
  at: string | Date;
  line: number | null;
  file: string | null;
}

const importedFrom = (file: string | null, line: number | null): string =>
  `Imported from ${file ? `"${file}"` : 'a file'}${line ? `, line ${line}` : ''}`;

/** Entries of a person's timeline from the lists: joining a list, and consent with its evidence. */
@Injectable()
export class ListTimeline implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly timeline: TimelineSources,
    private readonly evidence: EvidenceSources,
  ) {}

  onModuleInit(): void {
    this.timeline.add(this.consent, this.joining, this.importing);
    this.evidence.add('consentEvents', (subject) => rows(this.em.fork(), EVENTS, [subject.emailHash, subject.ownerId]));
    this.evidence.add('lists', (subject) => rows(this.em.fork(), MEMBERSHIPS, [subject.profileId]));
    this.evidence.add('suppressions', (subject) =>
      rows(this.em.fork(), SUPPRESSIONS, [subject.emailHash, subject.ownerId]),
    );
  }

  private readonly consent: TimelineSource = {
    kind: 'consent',
    before: async ({ emailHash, ownerId }, place, limit) => {
      const { sql, params } = olderThan('e.created_at', `'consent:' || e.id`, place);
      const found = await rows<ConsentRow>(
        this.em.fork(),
        `select e.id, e.kind, e.how, e.created_at as at, e.ip, e.user_agent as "userAgent", e.wording_version as "wordingVersion", e.details, l.id as "listId", l.name as "listName"
         from consent_events e left join email_lists l on l.id = e.email_list_id
         where e.address_hash = ? and e.owner_id = ? and not coalesce(l.is_default, false) and ${sql}
         order by e.created_at desc, e.id desc limit ?`,
        [emailHash, ownerId, ...params, limit],
      );
      return found.map(consentEntry);
    },
  };

  private readonly joining: TimelineSource = {
    kind: 'consent',
    before: async ({ profileId }, place, limit) => {
      const { sql, params } = olderThan(JOINED_AT, `'list:' || c.id`, place);
      const found = await rows<JoinRow>(
        this.em.fork(),
        `select c.id, ${JOINED_AT} as at, c.source, case when p.import_id = c.import_id then p.import_line end as line, i.file_name as file, l.id as "listId", l.name as "listName"
         from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null join contact_profiles p on p.id = c.profile_id
         left join contact_imports i on i.id = c.import_id
         where c.profile_id = ? and c.source <> 'public' and ${sql} order by ${JOINED_AT} desc, c.id desc limit ?`,
        [profileId, ...params, limit],
      );
      return found.map(({ id, at, source, line, file, listId, listName }) => ({
        at: new Date(at),
        key: `list:${id}`,
        kind: 'consent' as const,
        title: source === 'import' ? `${importedFrom(file, line)}, into "${listName}"` : `Added to "${listName}"`,
        detail: null,
        sendId: null,
        listId,
      }));
    },
  };

  private readonly importing: TimelineSource = {
    kind: 'profile',
    before: async ({ profileId }, place, limit) => {
      const { sql, params } = olderThan('p.created_at', `'import:' || p.import_id`, place);
      const found = await rows<MadeRow>(this.em.fork(), `${MADE_BY_IMPORT} and ${sql} limit ?`, [
        profileId,
        ...params,
        limit,
      ]);
      return found.map(({ id, at, line, file }) => ({
        at: new Date(at),
        key: `import:${id}`,
        kind: 'profile' as const,
        title: importedFrom(file, line),
        detail: null,
        sendId: null,
        listId: null,
      }));
    },
  };
}

/**
 * When the person joined: when membership and profile both existed. A membership whose address was changed is older
 * than the profile of the new address.
 */
const JOINED_AT = 'greatest(c.created_at, p.created_at)';

/**
 * Imports that created the profile. If the import also added the person to a list, the entry for joining the list
 * reports the import.
 */
const MADE_BY_IMPORT = `
  select p.import_id as id, p.created_at as at, p.import_line as line, i.file_name as file
  from contact_profiles p left join contact_imports i on i.id = p.import_id
  where p.id = ? and p.source = 'import' and p.import_id is not null
    and not exists (select 1 from subscriptions c where c.profile_id = p.id and c.import_id = p.import_id and c.source <> 'public')`;

/** Maximum length of a statement in the title of an entry; the details contain all of it. */
const MAX_STATEMENT = 200;

function quoted(statement: unknown): string {
  if (typeof statement !== 'string' || statement.trim() === '') return '';
  const text = statement.trim().replace(/\s+/g, ' ');
  return `: "${text.length > MAX_STATEMENT ? `${text.slice(0, MAX_STATEMENT)}…` : text}"`;
}

/** Values of `how` for requests by the person; any other request is a confirmation mail that the account caused. */
const FORMS: ReadonlySet<string> = new Set(['form', 'public']);

function titleOf({ kind, how, listName, details }: ConsentRow): string {
  const list = listName ?? (typeof details?.listName === 'string' ? details.listName : null);
  switch (kind) {
    case 'requested':
      if (!FORMS.has(how)) return list ? `Asked by mail to confirm for "${list}"` : 'Asked by mail to confirm';
      return list ? `Asked to join "${list}" on your public page` : 'Asked to join on your public page';
    case 'confirmed':
      return how === 'link' ? 'Confirmed by the link in the mail' : 'Confirmed by an admin';
    case 'attested':
      return `Confirmed by an admin on your statement${quoted(details?.attestation)}`;
    case 'declined':
      return 'Your statement was declined by an admin';
    case 'unconfirmed':
      return 'Confirmation withdrawn by an admin';
    case 'withdrawn':
      if (how === 'owner') return 'Asked you to stop';
      return how === 'everything' ? 'Left everything' : 'Left all your lists';
    case 'restored':
      return 'Undid leaving';
  }
}

function consentEntry(row: ConsentRow): TimelineEntry {
  const { id, at, how, ip, userAgent, wordingVersion, details, listId } = row;
  return {
    at: new Date(at),
    key: `consent:${id}`,
    kind: 'consent',
    title: titleOf(row),
    detail: { how, ip, userAgent, wordingVersion, details },
    sendId: null,
    listId,
  };
}

const EVENTS = `
  select e.id, e.kind, e.how, e.form, e.wording_version as "wordingVersion", e.ip, e.user_agent as "userAgent", e.details, e.email_list_id as "listId", e.created_at as "createdAt"
  from consent_events e left join email_lists l on l.id = e.email_list_id
  where e.address_hash = ? and e.owner_id = ? and not coalesce(l.is_default, false) order by e.created_at, e.id`;

const MEMBERSHIPS = `
  select l.id, l.name, c.id as "membershipId", c.email, c.source, c.subscription_type as "subscriptionType", c.confirmed, c.confirmed_at as "confirmedAt", c.consent, c.suppressed,
    c.unsubscribed_at as "unsubscribedAt", c.import_id as "importId", c.created_at as "createdAt"
  from subscriptions c join email_lists l on l.id = c.email_list_id where c.profile_id = ? order by c.created_at, c.id`;

const SUPPRESSIONS = `
  select reason, scope, created_at as "createdAt", expires_at as "expiresAt" from suppressions
  where address_hash = ? and scope = 'owner' and owner_id = ? order by created_at, id`;
