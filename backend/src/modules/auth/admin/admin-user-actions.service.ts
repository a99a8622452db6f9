import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { EventBus } from '../../../shared/events/event-bus.js';
import type { AuditKind } from '../audit/audit-kinds.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.service.js';
import { adminsOnlyHere, noSuchUser, notYourself } from '../auth.errors.js';
import { Verification } from '../verification/verification.service.js';

/** Changes that an admin makes to an account. Absent fields keep their values. */
export interface AdminUserChange {
  /** Maximum number of sends per day; null: the plan's limit applies. */
  customDailyLimit?: number | null;
  isAdmin?: boolean;
  suspended?: boolean;
}

interface Held {
  isAdmin: boolean;
  isSuspended: boolean;
  limit: string | null;
}

/** Admin actions on accounts, for the admin module. Every action is recorded in the audit trail. */
@Injectable()
export class AdminUserActions {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
    private readonly events: EventBus,
    private readonly verification: Verification,
  ) {}

  /**
   * Applies all changes or none.
   * @throws 403 if the actor is no longer an admin, 404, 409 `not_yourself`
   */
  async change(actor: Actor, userId: string, change: AdminUserChange): Promise<void> {
    if (actor.id === userId && change.isAdmin !== undefined) throw notYourself('change the admin rights of');
    if (actor.id === userId && change.suspended !== undefined) throw notYourself('suspend or reinstate');
    const isNowSuspended = await inTransaction(this.em, async (em) => {
      const held = await this.hold(em, actor, userId);
      const actions = actionsOf(held, change);
      await this.write(em, userId, change);
      for (const [kind, detail] of actions) {
        await this.audit.recordAction(em, actor, { kind, ownerId: userId, detail });
      }
      return actions.some(([kind]) => kind === 'account.suspended');
    });
    if (isNowSuspended) await this.events.emit('user.suspended', { userId });
  }

  /**
   * Verifies the account's address on behalf of the admin.
   * @returns false if the address was already verified
   * @throws 404
   */
  async verify(actor: Actor, userId: string): Promise<boolean> {
    const [known] = await rows(this.em.fork(), `select 1 from auth_credentials where user_id = ?`, [userId]);
    if (!known) throw noSuchUser();
    return this.verification.markVerified(userId, { actorId: actor.id, client: actor.client, reason: actor.reason });
  }

  /**
   * Serialises admin actions. Without the lock, two admins who revoke each other's rights at the same time could leave
   * no admin. With it, the second one is refused.
   */
  private async hold(em: EntityManager, actor: Actor, userId: string): Promise<Held> {
    const admins = await rows<{ id: string }>(
      em,
      `select id from users where is_admin and suspended_at is null order by id for no key update`,
    );
    if (!admins.some(({ id }) => id === actor.id)) throw adminsOnlyHere();
    const [held] = await rows<Held>(
      em,
      `select is_admin as "isAdmin", suspended_at is not null as "isSuspended", custom_daily_limit as "limit"
       from users where id = ? and deleted_at is null for no key update`,
      [userId],
    );
    if (!held) throw noSuchUser();
    return held;
  }

  private async write(
    em: EntityManager,
    userId: string,
    { customDailyLimit: limit, isAdmin, suspended }: AdminUserChange,
  ): Promise<void> {
    await changed(
      em,
      `update users set custom_daily_limit = case when ? then ? else custom_daily_limit end, is_admin = coalesce(?, is_admin),
         suspended_at = case when ?::boolean then coalesce(suspended_at, now()) when not ?::boolean then null else suspended_at end, updated_at = now()
       where id = ?`,
      [
        limit !== undefined,
        limit === null || limit === undefined ? null : String(limit),
        isAdmin ?? null,
        suspended ?? null,
        suspended ?? null,
        userId,
      ],
    );
    if (suspended) await changed(em, `delete from auth_sessions where user_id = ?`, [userId]);
  }
}

/** Audit events for the fields whose values actually change. */
function actionsOf(
  held: Held,
  { customDailyLimit: limit, isAdmin, suspended }: AdminUserChange,
): [AuditKind, string?][] {
  const actions: [AuditKind, string?][] = [];
  if (limit !== undefined && (limit === null ? null : String(limit)) !== held.limit)
    actions.push(['limit.changed', `${held.limit ?? 'plan'} → ${limit ?? 'plan'}`]);
  if (isAdmin !== undefined && isAdmin !== held.isAdmin) actions.push([isAdmin ? 'admin.granted' : 'admin.revoked']);
  if (suspended !== undefined && suspended !== held.isSuspended)
    actions.push([suspended ? 'account.suspended' : 'account.reinstated']);
  return actions;
}
