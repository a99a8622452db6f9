import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import type { EmailListDto } from './email-list.dto.js';
import { EmailList } from '../entities/email-list.entity.js';
import { ListAccess, isFinal, isUndoable } from './list-access.service.js';
import { listView } from './list-reader.service.js';
import { defaultListStays, deletionFinal, listNotFound } from '../lists.errors.js';
import { OutreachWithdrawal } from '../outreach/outreach-withdrawal.js';
import { ListUses } from './list-uses.registry.js';
import { PlanLimits } from './plan-limits.service.js';

/**
 * Deletes lists. A deleted list is hidden at once, and removed with its contacts when the deletion can no longer be
 * undone.
 */
@Injectable()
export class ListRemoval {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly limits: PlanLimits,
    private readonly withdrawal: OutreachWithdrawal,
    private readonly jobs: JobQueue,
    private readonly uses: ListUses,
  ) {}

  async remove(user: RequestUser, id: string): Promise<void> {
    const list = await this.access.require(user, id);
    if (list.isDefault) throw defaultListStays();
    await inTransaction(this.em, async (em) => {
      const marked = await rows(
        em,
        'update email_lists set deleted_at = now() where id = ? and deleted_at is null returning id',
        [id],
      );
      if (marked.length === 0) throw listNotFound();
      await this.withdrawal.hold(em, id);
    });
    this.em.clear();
  }

  /** Undoes a deletion; idempotent. */
  async restore(user: RequestUser, id: string): Promise<EmailListDto> {
    await inTransaction(this.em, async (em) => {
      // Read under the lock: a concurrent restore may have counted the list already, and an import may still be adding
      // contacts to it.
      await this.limits.lock(em, user.id);
      const [list] = await rows<{ isDeleted: boolean; isLate: boolean; contacts: number }>(
        em,
        `select deleted_at is not null as "isDeleted", coalesce(${isFinal('deleted_at')}, false) as "isLate", contact_count as contacts from email_lists where id = ? and owner_id = ?`,
        [id, user.id],
      );
      if (!list) throw listNotFound();
      if (!list.isDeleted) return;
      if (list.isLate) throw deletionFinal();
      await this.limits.reserveList(em, user.id);
      if (list.contacts > 0) await this.limits.reserveContacts(em, user.id, list.contacts);
      await rows(em, `update email_lists set deleted_at = null where id = ? and ${isUndoable('deleted_at')}`, [id]);
    });
    await this.jobs.kick('opt-in');
    const list = await this.em.fork().findOne(EmailList, { id, ownerId: user.id });
    if (!list) throw deletionFinal();
    return listView(list);
  }

  /**
   * Removes lists whose deletion is final, one transaction each. A trigger keeps the unsubscribe links of all contacts
   * that may have received mail. A list that an accepted send excludes is removed only once that send's audience is
   * frozen.
   */
  async purge(): Promise<void> {
    const due = await rows<{ id: string }>(
      this.em.fork(),
      `select id from email_lists where ${isFinal('deleted_at')} order by deleted_at limit 1000`,
    );
    for (const { id } of due) {
      await inTransaction(this.em, async (em) => {
        await withoutTimeLimit(em);
        if (await this.uses.areOpen(em, id)) return;
        await rows(em, `delete from email_lists where id = ? and ${isFinal('deleted_at')}`, [id]);
      });
    }
  }
}
