import type { Actor, GatedDatabase, Halt, Outcome } from './gated-database.js';
import { controlsOf, ModelWorker } from './model-worker.js';
import { DOMAINS, World } from './model-world.js';
import { DeliveryBacklogs } from '../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';

export const WORKERS = 2;
/**
 * All runnable work must end within ROUNDS of ROUND_SECONDS. This covers a lease of a delivery, its retries, and some
 * further rounds.
 */
const ROUNDS = 40;
const ROUND_SECONDS = 5;
/** Longer than the interval between two checks of a paused send's backlog. */
const REST_SECONDS = 301;

/** Maximum number of statements that run until one of the wanted kind halts. */
const MOST_ADVANCED = 40;

/**
 * Seconds that pass if no statement is halted. Few, because with more of them a backlog that sleeps too long would wake
 * before a check notices it.
 */
const IDLE_SECONDS = 0.25;

/** The next number of a pseudo-random sequence. */
export const following = (n: number): number => (n * 7_919 + 104_729) % 1_000_003;

/** One run of the model, with workers whose statements the test runs one by one. */
export class ModelRun {
  readonly world: World;
  commands = 0;
  statements = 0;
  private readonly workers: ModelWorker[] = [];
  private readonly web: Actor;
  private readonly controlling = new Set<Promise<unknown>>();
  /** Statements that begin every transaction. */
  private readonly settings: readonly string[];

  /** @param isShuffled makes PostgreSQL read tables in the physical order of their rows if it can */
  constructor(
    private readonly database: GatedDatabase,
    isShuffled: boolean,
  ) {
    this.world = new World(database);
    this.settings = isShuffled ? ['set local enable_nestloop = off'] : [];
    this.web = database.actor('web');
  }

  async begin(): Promise<void> {
    await this.world.begin();
    for (let i = 0; i < WORKERS; i++) this.start(i);
    await this.stand();
  }

  /** Lets a halted statement start, or commit. */
  async step(at: number, outcome: Outcome = 'go'): Promise<void> {
    const halt = this.halted(at);
    if (!halt) return;
    halt.let(outcome);
    await this.stand();
  }

  /** Lets a statement start and commit. If none is halted, time passes instead. */
  async statement(at: number): Promise<void> {
    const halt = this.halted(at);
    if (!halt) return this.pass(IDLE_SECONDS);
    const { actor, at: place, sql } = halt;
    halt.let('go');
    await this.stand();
    if (place === 'commit') return;
    const commit = this.database.haltsOf(actor).find((one) => one.at === 'commit' && one.sql === sql);
    commit?.let('go');
    await this.stand();
  }

  /**
   * Lets statements run until one of a kind halts before its start or its commit, so that rare kinds are met as often
   * as frequent ones.
   * @returns the halt; undefined if none is met within MOST_ADVANCED statements
   */
  async advance(kind: string, place: Halt['at'], seed: number): Promise<Halt | undefined> {
    for (let i = 0, n = seed; i < MOST_ADVANCED; i++, n = following(n)) {
      const met = this.database.halts.find(({ sql }) => sql.includes(kind));
      if (met?.at === place) return met;
      if (met && place === 'commit') {
        met.let('go');
        await this.stand();
      } else await this.statement(n);
    }
    return undefined;
  }

  async meet(halt: Halt, outcome: Outcome): Promise<void> {
    halt.let(outcome);
    await this.stand();
  }

  indexOf(actor: Actor): number {
    return this.workers.findIndex((worker) => worker.actor === actor);
  }

  async kill(index: number, outcome: 'lost' | 'lost after commit'): Promise<void> {
    this.workers[index]!.kill(outcome);
    await this.stand();
  }

  async restart(index: number): Promise<void> {
    this.start(index);
    await this.stand();
  }

  async pass(seconds: number): Promise<void> {
    await this.database.endTransactions();
    await this.world.pass(seconds);
    for (const worker of this.living) worker.renew();
    await this.stand();
  }

  async sweep(index: number): Promise<void> {
    void this.workers[index]!.sweep();
    await this.stand();
  }

  /** Makes a sender's call. It may wait for a halted statement. */
  async control(action: 'pause' | 'resume' | 'cancel', at: number): Promise<void> {
    const { id, userId } = this.world.sends[at]!;
    this.database.passed++;
    // The result of the call is ignored, because the call may fail when the send has ended.
    const controls = controlsOf(this.world, this.web);
    const call = controls[action](userId, id).catch(() => undefined);
    this.controlling.add(call);
    void call.finally(() => this.controlling.delete(call));
    await this.stand();
  }

  /** Sends with a backlog that no worker serves. */
  async waitingSends(): Promise<number[]> {
    const found = await this.database.query<{ id: string }>(
      `select distinct history_id as id from delivery_backlogs where wake_at <= now() and (leased_until is null or leased_until < now())`,
    );
    const ids = new Set(found.map(({ id }) => id));
    return [...this.world.sends.keys()].filter((at) => ids.has(this.world.sends[at]!.id));
  }

  check(): void {
    if (this.world.violations.length > 0) throw new Error(this.world.violations.join('\n'));
  }

  /** Lets everything run to its end, then checks the final state. */
  async end(): Promise<void> {
    await this.ungate();
    await this.until('every send that is neither paused nor cancelled ends', async () => {
      const open = await this.pending();
      return open.filter(({ isStopped }) => !isStopped).map(({ id }) => id);
    });
    await this.until('paused sends hold up no provider', () => this.waiting());
    for (const [at, { id }] of this.world.sends.entries())
      if ((await this.pending()).some((send) => send.id === id && send.isStopped)) await this.control('resume', at);
    await Promise.all(this.controlling);
    await this.until('every send ends once it is resumed', async () => (await this.pending()).map(({ id }) => id));
    await this.world.pass(REST_SECONDS);
    await this.until('nothing is left of sends that have ended', () => this.remains());
    this.check();
    await this.checkRows();
  }

  async close(): Promise<void> {
    this.world.end();
    for (const worker of this.living) worker.kill('lost');
    this.web.kill();
    await this.database.still();
  }

  private start(index: number): void {
    const actor = this.database.actor(`worker ${index}`, this.settings);
    actor.isGated = true;
    this.workers[index] = new ModelWorker(this.world, actor);
  }

  private get living(): ModelWorker[] {
    return this.workers.filter(({ actor }) => !actor.isDead);
  }

  private halted(at: number): Halt | undefined {
    const { halts } = this.database;
    if (halts.length === 0) return undefined;
    this.statements++;
    return halts[at % halts.length];
  }

  private async stand(): Promise<void> {
    for (const worker of this.living) worker.takeJobs();
    await this.database.still();
    for (const worker of this.living) worker.takeJobs();
  }

  private async ungate(): Promise<void> {
    for (const [index, { actor }] of this.workers.entries()) if (actor.isDead) this.start(index);
    for (const { actor } of this.workers) actor.isGated = false;
    for (const domain of DOMAINS) Object.assign(this.world.provider(domain), { isRefusing: false });
    for (const halt of [...this.database.halts]) halt.let('go');
    await this.stand();
    await Promise.all(this.controlling);
  }

  /** Lets time pass until `look` finds nothing more. */
  private async until(what: string, look: () => Promise<unknown[]>): Promise<void> {
    let found: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const worker of this.workers) await worker.sweep();
      for (let round = 0; round < 10; round++) await this.stand();
      found = await look();
      if (found.length === 0) return;
      await this.pass(ROUND_SECONDS);
    }
    throw new Error(`not so: ${what}; ${JSON.stringify(found)}\n${JSON.stringify(await this.state())}`);
  }

  private pending() {
    return this.database.query<{ id: string; isStopped: boolean }>(
      `select id, paused_at is not null as "isStopped" from email_history where status = 'pending'`,
    );
  }

  private async waiting(): Promise<string[]> {
    return (await new DeliveryBacklogs(this.web.em).providers()).waiting;
  }

  private remains() {
    return this.database.query(
      `select 'backlog' as what, history_id from delivery_backlogs union all select 'part', history_id from delivery_backlog_parts
       union all select 'range', history_id from delivery_ranges`,
    );
  }

  private state() {
    return this.database.query(
      `select h.id, h.paused_at is not null as paused, h.cancelled_at is not null as cancelled,
         (select jsonb_object_agg(status, n) from (select status, count(*) as n from email_delivery_logs where history_id = h.id group by 1) d) as rows,
         (select jsonb_agg(to_jsonb(b) - 'history_id') from delivery_backlogs b where b.history_id = h.id) as backlogs,
         (select jsonb_agg(to_jsonb(r) - 'history_id') from delivery_ranges r where r.history_id = h.id) as ranges
       from email_history h where h.status = 'pending'`,
    );
  }

  /**
   * Checks the rows: every message has a result, none is counted twice, and none went out twice unless an outcome was
   * unknown.
   */
  private async checkRows(): Promise<void> {
    const rows = await this.database.query<{ id: string; status: string; ambiguous: number }>(
      `select id, status, ambiguous from email_delivery_logs`,
    );
    for (const { id, status, ambiguous } of rows) {
      const accepted = this.world.accepted.get(id) ?? 0;
      if (accepted > 1 + ambiguous) throw new Error(`${id} went out ${accepted} times; ${ambiguous} times unknown`);
      if (status === 'sent' && accepted === 0) throw new Error(`${id} counts as sent and never went out`);
      if (!['sent', 'skipped', 'unconfirmed'].includes(status)) throw new Error(`${id} ended as ${status}`);
      if (status === 'skipped' && accepted > 0) throw new Error(`${id} went out and counts as skipped`);
    }
    const wrong = await this.database.query(
      `select h.id, t.counted, r.sent from email_history h
       cross join lateral (select coalesce(sum(sent), 0)::int as counted from delivery_tallies where history_id = h.id) t
       cross join lateral (select count(*)::int as sent from email_delivery_logs d where d.history_id = h.id and d.status = 'sent') r
       where t.counted <> r.sent`,
    );
    if (wrong.length > 0) throw new Error(`messages are counted wrong: ${JSON.stringify(wrong)}`);
  }
}
