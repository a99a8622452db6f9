import { createHmac } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { changed, type SqlPart } from '../../../shared/database/queries/rows.js';
import { contains, Keyset, type KeysetRow, withoutKeys } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import type { Page } from '../../../shared/http/requests/paged.js';
import { keyRing } from '../../../shared/tokens/key-ring.js';
import { AUDIT_KINDS, type AuditKind } from './audit-kinds.js';

/** An audit event to record. */
export interface Audited {
  kind: AuditKind;
  /** Id of the affected account. */
  userId: string;
  /** Id of the acting user; absent: the account's owner; null: nobody was signed in. */
  actorId?: string | null;
  reason?: string | null;
  client?: Client | null;
}

/** The admin who acts, with the reason for the action. */
export interface Actor {
  id: string;
  client: Client | null;
  reason?: string | null;
}

/** An admin action to record. */
export interface AuditedAction {
  kind: AuditKind;
  /**
   * Id of the account that owns the affected object. Null if nobody owns it; the event then belongs to the admin's
   * account.
   */
  ownerId?: string | null;
  /** The affected object, and details. */
  detail?: string;
}

export interface AuditFilter {
  /** Id of the affected account. */
  userId?: string;
  actorId?: string;
  kind?: AuditKind;
  /** Text to find in the addresses of the account and the actor. */
  search?: string;
  limit?: number;
  cursor?: string;
}

/** An audit event for display. A deleted account appears under its pseudonym. */
export interface AuditLine {
  id: string;
  kind: AuditKind;
  description: string;
  userId: string;
  userEmail: string;
  /** Id of the acting user; null if nobody was signed in (a mailed link, a failed sign-in). */
  actorId: string | null;
  actorEmail: string | null;
  reason: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  at: Date;
}

const PAGE_ROWS = 50;
const DELETED = 'deleted account';
const COLUMNS = `a.id, a.kind, coalesce(a.user_id, a.former_user) as "userId", coalesce(nullif(u.email, ''), '${DELETED}') as "userEmail",
  coalesce(a.actor_id, a.former_actor) as "actorId",
  case when coalesce(a.actor_id, a.former_actor) is not null then coalesce(nullif(actor.email, ''), '${DELETED}') end as "actorEmail", a.reason,
  a.ip_address as "ipAddress", a.user_agent as "userAgent", a.at`;
const FROM = `audit_events a left join users u on u.id = a.user_id left join users actor on actor.id = a.actor_id`;

/** Records audit events. Every module records its actions here, within its own transaction. */
@Injectable()
export class AuditTrail {
  private readonly log = new Logger(AuditTrail.name);

  private readonly pseudonymKey: Buffer;

  constructor(
    private readonly em: EntityManager,
    settings: Settings,
  ) {
    this.pseudonymKey = keyRing(settings, 'audit-pseudonym').current;
  }

  /** Records an event within the caller's transaction. Does nothing for a deleted account. */
  async record(em: EntityManager, { kind, userId, actorId, reason = null, client }: Audited): Promise<void> {
    await changed(
      em,
      `insert into audit_events (user_id, actor_id, kind, reason, ip_address, user_agent)
       select u.id, (select id from users where id = ?::uuid), ?, ?, ?, ? from users u where u.id = ?`,
      [
        actorId === undefined ? userId : actorId,
        kind,
        reason?.slice(0, 500) ?? null,
        client?.ip ?? null,
        client?.userAgent ?? null,
        userId,
      ],
    );
  }

  /** Records an admin action within the caller's transaction. */
  recordAction(
    em: EntityManager,
    { id: actorId, client, reason }: Actor,
    { kind, ownerId, detail }: AuditedAction,
  ): Promise<void> {
    return this.record(em, {
      kind,
      userId: ownerId ?? actorId,
      actorId,
      client,
      reason: [detail, reason?.trim()].filter(Boolean).join(': ') || null,
    });
  }

  /**
   * Records an event in the background and in a transaction of its own, so that a refused request is not answered later
   * than others.
   */
  note(act: Audited): void {
    this.record(this.em.fork(), act).catch((error: unknown) =>
      this.log.error({ err: error, kind: act.kind }, 'an audit entry could not be written'),
    );
  }

  /**
   * Pseudonymises an account within the caller's transaction. Events about the account and by it stay, under one
   * pseudonym, which nobody can trace back without JWT_SECRET. Removes the account's mail address from these events,
   * and IP addresses and devices unless they belong to somebody else.
   */
  async pseudonymise(
    em: EntityManager,
    { userId, email, emailNorm }: { userId: string; email: string; emailNorm: string },
  ): Promise<void> {
    const pseudonym = this.pseudonymOf(userId);
    await changed(
      em,
      `update audit_events set
         former_user = case when user_id = ? then ?::uuid else former_user end, user_id = nullif(user_id, ?::uuid),
         former_actor = case when actor_id = ? then ?::uuid else former_actor end, actor_id = nullif(actor_id, ?::uuid),
         ip_address = case when actor_id <> ? then ip_address end, user_agent = case when actor_id <> ? then user_agent end,
         reason = replace(replace(reason, ?, '${DELETED}'), ?, '${DELETED}')
       where user_id = ? or actor_id = ?`,
      [userId, pseudonym, userId, userId, pseudonym, userId, userId, userId, email, emailNorm, userId, userId],
    );
  }

  /** One page of events, newest first. Without a filter, the page covers all accounts. */
  async page(filter: AuditFilter): Promise<Page<AuditLine>> {
    const limit = filter.limit ?? PAGE_ROWS;
    const keyset = new Keyset({ at: { expression: 'a.at', type: 'timestamptz' } }, '-at', filter.cursor, 'a.id');
    const page = await readPage<AuditLine>(this.em.fork(), keyset, limit, {
      columns: COLUMNS,
      from: FROM,
      where: conditionOf(filter),
    });
    return { ...page, rows: page.rows.map(lineOf) };
  }

  private pseudonymOf(userId: string): string {
    const hex = createHmac('sha256', this.pseudonymKey).update(userId).digest('hex');
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  }

  /** All events that match the filter, newest first. Reads them page by page. */
  async *all(filter: AuditFilter): AsyncGenerator<AuditLine> {
    for (let cursor = filter.cursor; ;) {
      const { rows: lines, next } = await this.page({ ...filter, limit: 1000, cursor });
      yield* lines;
      if (!next) return;
      cursor = next;
    }
  }
}

function lineOf(row: AuditLine & KeysetRow): AuditLine {
  const line = withoutKeys(row);
  return { ...line, description: AUDIT_KINDS[line.kind] ?? line.kind, at: new Date(line.at) };
}

function conditionOf({ userId, actorId, kind, search }: AuditFilter): SqlPart {
  const pattern = search?.trim() && contains(search.trim());
  return allOf([
    userId && ['(a.user_id = ? or a.former_user = ?)', userId, userId],
    actorId && ['(a.actor_id = ? or a.former_actor = ?)', actorId, actorId],
    kind && ['a.kind = ?', kind],
    pattern && ['(u.email_norm like lower(?) or actor.email_norm like lower(?))', pattern, pattern],
  ]);
}
