import { setTimeout as pause } from 'node:timers/promises';
import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Inject, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { rows } from '../../../shared/database/queries/rows.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { CONTACT_SOURCES } from '../entities/contact.entity.js';
import { OPT_IN_MAIL } from '../outreach/ask-opt-outs.service.js';
import { OutreachBudget } from '../outreach/outreach-budget.service.js';
import { OutreachWithdrawal } from '../outreach/outreach-withdrawal.js';
import { OptInBatch } from './opt-in-batch.service.js';
import { type DueGroup, shareBatch } from './opt-in-shares.js';

/** Contacts per batch, separately for visitors and others. */
const CONTACTS_PER_BATCH = 200;
/** Maximum number of confirmation mails waiting in the outbox, separately for visitors and others. */
const BACKLOG = 500;
const SWEEP_MS = 5_000;
/**
 * Maximum time for which a job waits until another instance has dispatched. It then dispatches too, because contacts
 * may have become due after the other instance looked for them.
 */
const WAIT_MS = 5_000;
const WAIT_STEP_MS = 100;

/**
 * Enqueues due confirmation mails if the owner is verified and not suspended, budget and throttles allow it, and the
 * person may be asked.
 */
@JobHandler('opt-in', 1)
export class OptInDispatcher implements HandlesJob<'opt-in'> {
  private readonly log = new Logger(OptInDispatcher.name);
  private lastOwner = '';

  constructor(
    @Inject(MikroORM) private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly outbox: SystemMailOutbox,
    private readonly budget: OutreachBudget,
    private readonly batch: OptInBatch,
    private readonly withdrawal: OutreachWithdrawal,
  ) {}

  async handle(): Promise<void> {
    const end = Date.now() + WAIT_MS;
    while (!(await this.runOnce()) && Date.now() < end) await pause(WAIT_STEP_MS);
  }

  @Interval(SWEEP_MS)
  @CreateRequestContext<OptInDispatcher>((dispatcher) => dispatcher.orm)
  async sweep(): Promise<void> {
    try {
      await this.withdrawal.withdraw();
      await this.runOnce();
    } catch (error) {
      this.log.error(
        { err: error, code: 'opt_in_dispatch_failed' },
        'the confirmation mails could not be sent; the next sweep tries again',
      );
    }
  }

  /** Dispatches until no mail is due. @returns false if another instance is dispatching */
  private runOnce(): Promise<boolean> {
    return this.runner.run('lists.opt-in', async () => {
      while ((await this.dispatch()) > 0);
    });
  }

  /** Processes one batch. @returns number of contacts processed */
  private async dispatch(): Promise<number> {
    const em = this.em.fork();
    const groups = await rows<DueGroup>(em, FIND_GROUPS, [JSON.stringify(CONTACT_SOURCES)]);
    if (groups.length === 0) return 0;
    const [senders, visitorsWaiting, othersWaiting] = await Promise.all([
      this.budget.sendersOf(groups.flatMap(({ ownerId }) => ownerId ?? [])),
      this.outbox.waiting(em.fork(), OPT_IN_MAIL, 'requested', BACKLOG),
      this.outbox.waiting(em.fork(), OPT_IN_MAIL, 'unasked', BACKLOG),
    ]);
    const room = {
      visitors: Math.min(CONTACTS_PER_BATCH, BACKLOG - visitorsWaiting),
      others: Math.min(CONTACTS_PER_BATCH, BACKLOG - othersWaiting),
    };
    const { shares, last } = shareBatch(groups, senders, room, this.lastOwner);
    if (shares.length === 0) return 0;
    this.lastOwner = last;
    const settled = await this.batch.settle(shares, senders);
    if (settled > 0) await this.outbox.kick();
    return settled;
  }
}

/** SQL of who requested the due mail; equal to the expression of the index. */
const ASKED_BY = 'coalesce(c.opt_in_source, c.source)';

/**
 * All (list, source) pairs with due mails. A skip scan of the partial index makes a list with a million due contacts
 * cost one step; EXISTS would scan them all.
 */
const FIND_GROUPS = `
  with recursive lists as (
    (select email_list_id from subscriptions where opt_in_state = 'due' order by email_list_id limit 1)
    union all
    select (select c.email_list_id from subscriptions c where c.opt_in_state = 'due' and c.email_list_id > lists.email_list_id order by c.email_list_id limit 1)
    from lists where lists.email_list_id is not null
  )
  select l.id as list, s.source, l.owner_id as "ownerId"
  from lists join email_lists l on l.id = lists.email_list_id and l.deleted_at is null
  cross join (select value as source from jsonb_array_elements_text(?::jsonb)) s
  cross join lateral (
    select 1 from subscriptions c where c.email_list_id = l.id and ${ASKED_BY} = s.source and c.opt_in_state = 'due' and c.opt_in_due_at <= now()
    order by c.opt_in_due_at limit 1
  ) due`;
