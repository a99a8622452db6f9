import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { countMatches } from '../../../shared/database/queries/read-page.js';
import { contains, Keyset, type KeysetRow } from '../../../shared/database/queries/keyset.js';
import { inTransaction, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { EventBus } from '../../../shared/events/event-bus.js';
import type { Page } from '../../../shared/http/index.js';
import { Accounts, type Actor, AuditTrail } from '../../auth/index.js';
import { recordConsent } from '../unsubscribe/consent-log.js';
import { contactView } from '../contacts/contact-reader.service.js';
import type { AdminContactDto, AdminContactQuery, AdminListDto } from './admin-contact.dto.js';
import { addressSearch } from '../contacts/contact-search.service.js';
import { contactNotFound } from '../lists.errors.js';
import { HAS_UNSUBSCRIBED, IN_TABLE } from '../unsubscribe/suppression-sql.js';
import { isoTimeSql } from '../../../shared/text/formats.js';

const PAGE_ROWS = 2000;
const LISTS_SHOWN = 50;
const COLUMNS = `c.id, c.email, c.name, c.subscription_type, c.confirmed, c.suppressed, c.created_at, c.email_list_id, l.name as list_name, l.owner_id`;

type Shown = Parameters<typeof contactView>[0] & { email_list_id: string; list_name: string; owner_id: string | null };
type Found = Shown & { email_norm: string; email_hash: Buffer };

/** Contacts of all lists, for admins. */
@Injectable()
export class AdminContacts {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly audit: AuditTrail,
    private readonly events: EventBus,
  ) {}

  async page(query: AdminContactQuery): Promise<Page<AdminContactDto>> {
    return { ...(await this.part(query)), ...(await this.total(query)) };
  }

  /** Streams all matching contacts, read page by page. */
  async all(query: AdminContactQuery): Promise<AsyncIterable<AdminContactDto>> {
    const first = await this.part({ ...query, limit: PAGE_ROWS });
    const more = (cursor: string) => this.part({ ...query, limit: PAGE_ROWS, cursor });
    return (async function* () {
      for (let part = first; ; part = await more(part.next!)) {
        yield* part.rows;
        if (!part.next) return;
      }
    })();
  }

  /** Confirms a contact or resets it to Pending. Suppressions stay. Idempotent. */
  async confirm(actor: Actor, id: string, confirmed: boolean): Promise<AdminContactDto> {
    const { contact, isNew } = await inTransaction(this.em, async (em) => {
      const [found] = await rows<Found>(
        em,
        `select ${COLUMNS}, c.email_norm, c.email_hash from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null where c.id = ? for update of c`,
        [id],
      );
      if (!found) throw contactNotFound();
      if (found.confirmed === confirmed) return { contact: found, isNew: false };
      await rows(em, confirmed ? CONFIRM : UNCONFIRM, confirmed ? [actor.id, id] : [id]);
      const { email, email_hash, email_norm, email_list_id, list_name, owner_id } = found;
      await recordConsent(em, {
        kind: confirmed ? 'confirmed' : 'unconfirmed',
        how: 'admin',
        addressHash: email_hash,
        addressNorm: email_norm,
        contactId: id,
        emailListId: email_list_id,
        ownerId: owner_id,
        client: actor.client,
        details: { actorId: actor.id, listName: list_name, reason: actor.reason ?? null },
      });
      await this.audit.recordAction(em, actor, {
        kind: confirmed ? 'contact.confirmed' : 'contact.unconfirmed',
        ownerId: owner_id,
        detail: `${email} on "${list_name}"`,
      });
      return { contact: { ...found, confirmed }, isNew: true };
    });
    if (isNew && confirmed)
      await this.events.emit('contact.confirmed', { contactId: id, emailListId: contact.email_list_id });
    return (await this.views([contact]))[0]!;
  }

  /** Lists whose name contains the text, the default list first. */
  async lists(search: string): Promise<AdminListDto[]> {
    const found = await rows<Omit<AdminListDto, 'ownerEmail'> & { ownerId: string | null }>(
      this.em.fork(),
      `select id, name, owner_id as "ownerId", contact_count as "contactCount", is_default as "isDefault" from email_lists
       where deleted_at is null and lower(name) like lower(?) order by is_default desc, contact_count desc, id limit ?`,
      [contains(search.trim()), LISTS_SHOWN],
    );
    const emails = await this.emailsOf(found.map((list) => list.ownerId));
    return found.map(({ ownerId, ...list }) => ({ ...list, ownerEmail: (ownerId && emails.get(ownerId)) ?? null }));
  }

  private async part(query: AdminContactQuery): Promise<Omit<Page<AdminContactDto>, 'total' | 'isTotalCapped'>> {
    const limit = query.limit ?? PAGE_ROWS;
    const keyset = new Keyset(
      { createdAt: { expression: 'c.created_at', type: 'timestamptz' } },
      query.sort ?? '-createdAt',
      query.cursor,
      'c.id',
    );
    const { sql: condition, params } = await this.filter(query);
    const found = await rows<Shown & KeysetRow>(
      this.em.fork(),
      `select ${keyset.columns}, ${COLUMNS} from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
       where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, limit + 1],
    );
    const page = keyset.page(found, limit);
    return { ...page, rows: await this.views(page.rows) };
  }

  /**
   * Counts the matching contacts. Without a search and a status, the total comes from the lists' counters; otherwise
   * the rows are counted, up to a limit.
   */
  private async total(query: AdminContactQuery): Promise<Pick<Page<AdminContactDto>, 'total' | 'isTotalCapped'>> {
    const em = this.em.fork();
    if (!query.search?.trim() && !query.status) {
      const counter =
        query.confirmed === undefined
          ? 'contact_count'
          : query.confirmed
            ? 'confirmed_count'
            : 'contact_count - confirmed_count';
      return { total: await this.counted(counter, query.emailListId) };
    }
    const { sql: condition, params } = await this.filter(query);
    return countMatches(
      em,
      `subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null where ${condition}`,
      params,
    );
  }

  private async filter({ search, emailListId, confirmed, status }: AdminContactQuery): Promise<SqlPart> {
    return allOf([
      [status === 'unsubscribed' ? HAS_UNSUBSCRIBED : IN_TABLE],
      emailListId && ['c.email_list_id = ?', emailListId],
      confirmed !== undefined && [confirmed ? 'c.confirmed' : 'not c.confirmed'],
      search?.trim() && [
        'c.email_norm like ?',
        addressSearch(search, await this.counted('contact_count', emailListId)),
      ],
    ]);
  }

  /** Sums a stored counter over all lists, or reads the counter of one list. */
  private async counted(counter: string, listId: string | undefined): Promise<number> {
    const [known] = await rows<{ total: number }>(
      this.em.fork(),
      `select coalesce(sum(${counter}), 0)::int as total from email_lists where deleted_at is null and (?::uuid is null or id = ?::uuid)`,
      [listId ?? null, listId ?? null],
    );
    return known?.total ?? 0;
  }

  private async views(found: Shown[]): Promise<AdminContactDto[]> {
    const emails = await this.emailsOf(found.map((row) => row.owner_id));
    return found.map((row) => ({
      ...contactView(row),
      emailListId: row.email_list_id,
      listName: row.list_name,
      ownerEmail: (row.owner_id && emails.get(row.owner_id)) ?? null,
    }));
  }

  private async emailsOf(ids: (string | null)[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))];
    return wanted.length === 0
      ? new Map()
      : new Map((await this.accounts.byIds(wanted)).map(({ id, email }) => [id, email]));
  }
}

/**
 * Confirms the contact, and cancels a confirmation mail that is not sent yet. A mailed link keeps working, for people
 * who unsubscribed and asked to come back.
 */
const CONFIRM = `
  update subscriptions set confirmed = true, confirmed_at = now(), introduction_due = false,
         opt_in_state = case when opt_in_state in ('due', 'held') then 'none' else opt_in_state end,
         consent = jsonb_build_object('at', ${isoTimeSql('now()')}, 'how', 'admin', 'actor', ?::text)
  where id = ?`;

/** Deletes the mailed link, which must not confirm the contact again. The owner may resend the confirmation mail. */
const UNCONFIRM = `
  update subscriptions set confirmed = false, confirmed_at = null, consent = null, introduction_due = false, opt_in_state = 'none',
         confirmation_token = null, confirmation_token_expires = null, confirmation_resent_at = null
  where id = ?`;
