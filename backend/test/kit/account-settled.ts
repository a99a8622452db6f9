import { OptInDispatcher } from '../../src/modules/lists/opt-in/opt-in-dispatcher.js';
import { rows } from '../../src/shared/database/queries/rows.js';
import { SingleRunner } from '../../src/shared/database/single-runner.js';
import type { QueueName } from '../../src/shared/jobs/job-handler.js';
import { JobQueue } from '../../src/shared/jobs/job-queue.js';
import type { TestApp } from './app.js';
import { until } from './until.js';

const SENDS = `select id from email_history where user_id = a.id`;
const LISTS = `select id from email_lists where owner_id = a.id`;

/**
 * The kinds of work that may be in progress for an account `a`, with the queries that find them. A paused send is
 * settled once no worker holds any of its messages.
 */
const UNDER_WAY: Record<string, string> = {
  'an erasure': `select 1 from users where id = a.id and deleted_at is not null`,
  'a send': `select 1 from email_history where user_id = a.id and status = 'pending' and (paused_at is null or cancelled_at is not null)`,
  'a message in the hands of a worker': `select 1 from email_delivery_logs where history_id in (${SENDS}) and status = 'sending'`,
  'a leased range': `select 1 from delivery_ranges where history_id in (${SENDS}) and leased_until > now()`,
  'a leased backlog': `select 1 from delivery_backlogs where history_id in (${SENDS}) and leased_until > now()`,
  'an expansion': `select 1 from send_layouts s join email_history h on h.id = s.history_id where h.user_id = a.id and h.paused_at is null`,
  'a retry of the failed': `select 1 from send_retries s join email_history h on h.id = s.history_id where h.user_id = a.id and h.paused_at is null`,
  'activity to be written': `select 1 from email_history where user_id = a.id and activity_pending and (status <> 'pending' or activity_position > 0)`,
  'a scheduled send that is due': `select 1 from scheduled_sends where user_id = a.id and state in ('scheduled', 'leaving') and due_at <= now()`,
  'an import': `select 1 from contact_imports where user_id = a.id
    and (status in ('uploading', 'queued', 'reading', 'checking', 'running') or status = 'ready' and stage is not null
      or status in ('done', 'failed') and decided_at is not null and carried_out_at is null)`,
  'a bulk change': `select 1 from contact_bulk_jobs where owner_id = a.id and status in ('queued', 'running')`,
  'a system mail': `select 1 from system_mails where (subject_id = a.id or subject_id in (${LISTS})) and (status = 'queued' and next_attempt_at <= now() or status = 'sending')`,
  'a test': `select 1 from test_mails where user_id = a.id and (status = 'queued' and next_attempt_at <= now() or status = 'sending')`,
};
const QUESTION = `select what from (values (?::uuid)) as a (id), lateral (${Object.entries(UNDER_WAY)
  .map(([what, query]) => `select '${what}' as what where exists (${query})`)
  .join(' union all ')}) found`;

/** Queues whose jobs name the object that they work on. */
const NAMING = ['imports', 'erasures', 'schedules', 'layouts', 'deliveries'] as const satisfies readonly QueueName[];
/** Queues whose jobs process everything that is due. For a running job it is unknown which accounts it serves. */
const SERVING = [
  'system-mail',
  'opt-in',
  'tests',
  'contact-bulk',
  'deliveries',
] as const satisfies readonly QueueName[];

/**
 * Waits until no instance has work in progress for an account: no send, import, bulk change, mail or erasure, and no
 * job for one. For tests that remove, restore, erase or count what such work could still change.
 */
export async function untilAccountSettled(app: TestApp, { id }: { id: string }): Promise<void> {
  const restsInDatabase = () => untilNone(async () => (await rowsUnderWay(app, id)).map(({ what }) => what));
  await restsInDatabase();
  await askDue(app);
  await restsInDatabase();
  // Jobs may continue after they have completed the work. Only those that run now are awaited, because new ones may
  // start for other accounts.
  const running = await runningJobs(app);
  await untilNone(async () => {
    const now = await runningJobs(app);
    return [...running.filter((job) => now.includes(job)), ...(await jobsOf(app, id))];
  });
  await restsInDatabase();
}

/** Writes the consent mails that are due, except mails that the budget holds back. */
async function askDue(app: TestApp): Promise<void> {
  const dispatcher = app.get(OptInDispatcher);
  await dispatcher.sweep();
  // If another instance was sweeping, this sweep did nothing, and the other one may have looked before the rows were
  // written.
  await until('nobody writes consent mails', () => app.get(SingleRunner).run('lists.opt-in', async () => undefined));
  await dispatcher.sweep();
}

async function untilNone(look: () => Promise<string[]>): Promise<void> {
  let found: string[] = [];
  await until('the account has settled', async () => (found = await look()).length === 0).catch((error: Error) => {
    throw new Error(`${error.message}; under way: ${found.join(', ')}`);
  });
}

const rowsUnderWay = (app: TestApp, id: string) => rows<{ what: string }>(app.em(), QUESTION, [id]);

async function runningJobs(app: TestApp): Promise<string[]> {
  const jobs = await Promise.all(SERVING.map((name) => app.get(JobQueue).queue(name).getActive()));
  return jobs.flatMap((some, at) => some.filter(Boolean).map((job) => `${SERVING[at]} ${job.id}`));
}

/** Waiting and running jobs that name the account or one of its objects. */
async function jobsOf(app: TestApp, id: string): Promise<string[]> {
  const owned = await rows<{ id: string }>(
    app.em(),
    `select a.id from (values (?::uuid)) as a (id) union all select h.id from email_history h where h.user_id = ? union all
     select i.id from contact_imports i where i.user_id = ? union all select s.id from scheduled_sends s where s.user_id = ?`,
    [id, id, id, id],
  );
  const ids = new Set(owned.map((one) => one.id));
  const jobs = await Promise.all(NAMING.map((name) => app.get(JobQueue).queue(name).getJobs(['waiting', 'active'])));
  return jobs.flatMap((some, at) =>
    some
      .filter(
        (job) => job && (Object.values(job.data as object).some((value) => ids.has(value)) || ids.has(String(job.id))),
      )
      .map((job) => `${NAMING[at]} ${job.id}`),
  );
}
