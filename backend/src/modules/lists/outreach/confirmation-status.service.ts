import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { ConfirmationStatusDto, ConfirmationHold } from './confirmation-status.dto.js';
import type { EmailList } from '../entities/email-list.entity.js';
import { OutreachBudget, type OutreachSender } from './outreach-budget.service.js';

/** Waiting contacts are counted up to this number. */
const MAX_COUNTED = 10_000;

/** State of a list's confirmation mails, for its page. */
@Injectable()
export class ConfirmationStatus {
  constructor(
    private readonly em: EntityManager,
    private readonly budget: OutreachBudget,
  ) {}

  async of(list: EmailList): Promise<ConfirmationStatusDto> {
    const [[found], senders] = await Promise.all([
      rows<{ own: number; visitors: number }>(this.em.fork(), WAITING, [list.id, MAX_COUNTED]),
      list.ownerId ? this.budget.sendersOf([list.ownerId]) : new Map<string, OutreachSender>(),
    ]);
    const { own = 0, visitors = 0 } = found ?? {};
    const waiting = own + visitors;
    if (!list.ownerId) return { waiting, hold: null, dailyBudget: null, sentIn24Hours: null, continuesAt: null };
    const sender = senders.get(list.ownerId);
    const hold = waiting > 0 ? holdOf(sender, own > 0) : null;
    return {
      waiting,
      hold,
      dailyBudget: sender?.budget.total ?? 0,
      sentIn24Hours: sender?.sent.reduce((sum, hour) => sum + hour.own + hour.visitors, 0) ?? 0,
      continuesAt:
        sender && hold === 'daily_budget'
          ? (this.budget.opensAt(sender, own > 0 ? 'own' : 'visitors')?.toISOString() ?? null)
          : null,
    };
  }
}

/**
 * Why waiting mails are held. If contacts that the owner added wait, the answer is about them, because they are usually
 * the majority.
 */
function holdOf(sender: OutreachSender | undefined, isOwn: boolean): ConfirmationHold | null {
  if (!sender) return 'unverified';
  const stop = isOwn ? sender.budget.ownStop : sender.budget.visitorsStop;
  if (stop) return stop;
  return (isOwn ? sender.ownRoom : sender.visitorRoom) > 0 ? null : 'daily_budget';
}

const WAITING = `
  select (count(*) filter (where not by_visitor))::int as own, (count(*) filter (where by_visitor))::int as visitors
  from (select coalesce(opt_in_source, source) = 'public' as by_visitor from subscriptions where email_list_id = ? and opt_in_state = 'due' limit ?) due`;
