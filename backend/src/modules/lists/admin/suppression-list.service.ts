import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { contains, Keyset } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { inTransaction, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import type { Page } from '../../../shared/http/index.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { Accounts, type Actor, AuditTrail } from '../../auth/index.js';
import type { AddSuppressionDto, SuppressionDto, SuppressionQuery } from './admin-contact.dto.js';
import { alreadySuppressed, invalidEmail, suppressionNotFound } from '../lists.errors.js';
import { SUPPRESSION_APPLIES, IN_FORCE, HAS_UNSUBSCRIBED } from '../unsubscribe/suppression-sql.js';
import { Suppressions } from '../unsubscribe/suppressions.service.js';

const PAGE_ROWS = 50;
const COLUMNS = `s.id, s.address_norm as email, s.reason as cause, s.scope, s.owner_id as "ownerId", s.created_at as "createdAt", s.expires_at as "expiresAt"`;

type Row = Omit<SuppressionDto, 'ownerEmail'> & { ownerId: string | null };
type Lifted = Row & { hash: Buffer };

/** Suppressed addresses, for admins. */
@Injectable()
export class SuppressionList {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly audit: AuditTrail,
    private readonly suppressions: Suppressions,
  ) {}

  async page(query: SuppressionQuery): Promise<Page<SuppressionDto>> {
    const limit = query.limit ?? PAGE_ROWS;
    const keyset = new Keyset(
      { createdAt: { expression: 's.created_at', type: 'timestamptz' } },
      query.sort ?? '-createdAt',
      query.cursor,
      's.id',
    );
    const page = await readPage<Row>(this.em.fork(), keyset, limit, {
      columns: COLUMNS,
      from: 'suppressions s',
      where: filter(query),
    });
    return { ...page, rows: await this.views(page.rows) };
  }

  /** Suppresses an address. @throws 400 for an invalid address, 409 if it is already suppressed in this scope */
  async add(
    actor: Actor,
    { email, scope = 'all', cause = 'unsubscribed' }: AddSuppressionDto,
  ): Promise<SuppressionDto> {
    const address = parseAddress(email);
    if (!address) throw invalidEmail();
    const row = await inTransaction(this.em, async (em) => {
      if (
        !(await this.suppressions.add(em, {
          scope,
          addressHash: address.hash,
          addressNorm: address.norm,
          reason: cause,
        }))
      )
        throw alreadySuppressed();
      await this.audit.recordAction(em, actor, { kind: 'suppression.added', detail: `${address.norm} (${scope})` });
      const [added] = await rows<Row>(
        em,
        `select ${COLUMNS} from suppressions s where s.address_hash = ? and s.scope = ? and s.owner_id is null`,
        [address.hash, scope],
      );
      return added!;
    });
    return (await this.views([row]))[0]!;
  }

  /**
   * Removes a suppression. A bounced address may be mailed again. A person who unsubscribed becomes Pending, because
   * only their own new confirmation brings them back.
   */
  async lift(actor: Actor, id: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const [lifted] = await rows<Lifted>(
        em,
        `delete from suppressions s where s.id = ? returning ${COLUMNS}, s.address_hash as hash`,
        [id],
      );
      if (!lifted) throw suppressionNotFound();
      await this.unmark(em, lifted);
      await this.audit.recordAction(em, actor, {
        kind: 'suppression.lifted',
        ownerId: lifted.ownerId,
        detail: `${lifted.email ?? 'an erased address'} (${lifted.scope}, ${lifted.cause})`,
      });
    });
  }

  /** Clears `suppressed` of the contacts with the address, unless another suppression still applies to them. */
  private async unmark(em: EntityManager, { scope, ownerId, hash }: Lifted): Promise<void> {
    const lists = { owner: 'and l.owner_id = ?::uuid', network: 'and l.is_default', all: '' }[scope];
    await rows(
      em,
      `update subscriptions c set suppressed = null, unsubscribed_at = null, confirmed = c.confirmed and not ${HAS_UNSUBSCRIBED},
              confirmed_at = case when ${HAS_UNSUBSCRIBED} then null else c.confirmed_at end, consent = case when ${HAS_UNSUBSCRIBED} then null else c.consent end,
              introduction_due = c.introduction_due and not ${HAS_UNSUBSCRIBED}, confirmation_resent_at = case when ${HAS_UNSUBSCRIBED} then null else c.confirmation_resent_at end,
              confirmation_token = case when ${HAS_UNSUBSCRIBED} and c.confirmed then null else c.confirmation_token end,
              opt_in_state = case when ${HAS_UNSUBSCRIBED} and c.confirmed then 'none' else c.opt_in_state end
       from email_lists l
       where l.id = c.email_list_id ${lists} and c.email_hash = ? and c.suppressed is not null
         and not exists (select 1 from suppressions s where s.address_hash = c.email_hash and ${SUPPRESSION_APPLIES.replaceAll('?::uuid', 'l.owner_id')})`,
      [...(scope === 'owner' ? [ownerId] : []), hash],
    );
  }

  private async views(found: Row[]): Promise<SuppressionDto[]> {
    const owners = [...new Set(found.flatMap((row) => row.ownerId ?? []))];
    const emails = new Map(
      owners.length === 0 ? [] : (await this.accounts.byIds(owners)).map(({ id, email }) => [id, email]),
    );
    return found.map(({ id, email, cause, scope, ownerId, createdAt, expiresAt }) => ({
      id,
      email,
      cause,
      scope,
      ownerEmail: (ownerId && emails.get(ownerId)) ?? null,
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    }));
  }
}

function filter({ search, cause, scope }: SuppressionQuery): SqlPart {
  const text = search?.trim().toLowerCase();
  const whole = text ? parseAddress(text) : null;
  return allOf([
    [IN_FORCE],
    cause && ['s.reason = ?', cause],
    scope && ['s.scope = ?', scope],
    whole
      ? ['(s.address_hash = ? or s.address_norm like ?)', whole.hash, contains(whole.norm)]
      : text && ['s.address_norm like ?', contains(text)],
  ]);
}
