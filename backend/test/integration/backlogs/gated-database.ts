import type { EntityManager } from '@mikro-orm/postgresql';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../../kit/database.js';

/**
 * How a halted statement continues. 'lost' simulates a lost connection before the statement took effect, 'lost after
 * commit' one after it did.
 */
export type Outcome = 'go' | 'lost' | 'lost after commit';

/** A halted statement: before it runs, or after it ran and before its transaction commits. */
export interface Halt {
  actor: Actor;
  sql: string;
  at: 'start' | 'commit';
  /** Whether its transaction has begun, so that it may hold locks. */
  isWithin: boolean;
  let(outcome: Outcome): void;
}

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}
interface Answer {
  rows: unknown[];
  numAffectedRows?: bigint;
}

/** Size of the pool: more connections than can wait for a lock at the same time. */
const CONNECTIONS = 60;
/** Maximum number of database calls until all processes stand still. */
const MOST_CALLS = 30_000;
/** Number of statements that an error lists. */
const RECENT = 30;
/** Number of event-loop turns between two checks whether all running statements wait for a lock. */
const LOOKS = 20;
const CHANGES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/** A database whose clients run one statement at a time: the test decides which one is next. */
export class GatedDatabase {
  readonly halts: Halt[] = [];
  /** Number of halts that the test has ended. */
  passed = 0;
  private running = 0;
  private readonly recent: string[] = [];
  /** Number of calls of the database. */
  private asked = 0;
  private readonly pool: pg.Pool;

  private constructor(
    url: string,
    private readonly drop: () => Promise<void>,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    this.pool.on('error', () => undefined);
  }

  static async create(): Promise<GatedDatabase> {
    const { url, drop } = await createDatabase();
    return new GatedDatabase(url, drop);
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.drop();
  }

  /** @param settings statements that begin each of its transactions */
  actor(name: string, settings: readonly string[] = []): Actor {
    return new Actor(name, this, settings);
  }

  /** Runs a statement of the test itself. */
  async query<T extends object>(sql: string, params: readonly unknown[] = []): Promise<T[]> {
    return (await this.pool.query<T>(sql, [...params])).rows;
  }

  haltsOf(actor: Actor): Halt[] {
    return this.halts.filter((halt) => halt.actor === actor);
  }

  /**
   * Waits until no process can continue by itself: each one is halted until the test lets it go on, waits for a lock
   * that another process holds, or has nothing more to do.
   */
  async still(): Promise<void> {
    const begun = this.asked;
    for (let looks = 1; ; looks++) {
      await setImmediate();
      const { asked } = this;
      if (asked - begun > MOST_CALLS) throw new Error(`no end of statements:\n${this.recent.join('\n')}`);
      if (this.running > 0 && (looks % LOOKS > 0 || (await this.locked()) !== this.running)) continue;
      // A process that has just got an answer makes its next call within this turn of the event loop.
      await setImmediate();
      if (this.asked === asked) return;
    }
  }

  /** Ends the transactions that have begun, which releases their locks. */
  async endTransactions(): Promise<void> {
    for (;;) {
      await this.still();
      const within = this.halts.filter(({ isWithin }) => isWithin);
      if (within.length === 0) return;
      for (const halt of within) halt.let('go');
    }
  }

  halt(what: Omit<Halt, 'let'>): Promise<Outcome> {
    return new Promise((resolve) => {
      const halt: Halt = {
        ...what,
        let: (outcome) => {
          this.halts.splice(this.halts.indexOf(halt), 1);
          this.passed++;
          resolve(outcome);
        },
      };
      this.halts.push(halt);
    });
  }

  /** Records a statement. If `still` gives up after too many database calls, its error lists the last statements. */
  note(actor: Actor, { sql, parameters }: Statement): void {
    this.recent.push(
      `${actor.name}: ${sql.replace(/\s+/g, ' ').slice(0, 100)} ${JSON.stringify(parameters).slice(0, 200)}`,
    );
    if (this.recent.length > RECENT) this.recent.shift();
  }

  connect(): Promise<pg.PoolClient> {
    return this.whileRunning(this.pool.connect());
  }

  async whileRunning<T>(work: Promise<T>): Promise<T> {
    this.running++;
    this.asked++;
    try {
      return await work;
    } finally {
      this.running--;
    }
  }

  private async locked(): Promise<number> {
    const [found] = await this.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return found!.n;
  }
}

/**
 * A process of the product with its own connections. Its services use `em` instead of MikroORM's entity manager.
 * Statements really run, each in a transaction. While `isGated`, the start and the commit of each statement wait for
 * the test.
 */
export class Actor {
  isGated = false;
  isDead = false;
  /** The part of an entity manager that the services use: the statements of `rows` and `changed`, and transactions. */
  readonly em: EntityManager = this.manager();

  constructor(
    readonly name: string,
    private readonly database: GatedDatabase,
    private readonly settings: readonly string[],
  ) {}

  /**
   * Kills the process. Halted statements are rolled back, or committed without an answer. None of its promises resolves
   * any more.
   */
  kill(outcome: 'lost' | 'lost after commit' = 'lost'): void {
    this.isDead = true;
    for (const halt of this.database.haltsOf(this)) halt.let(outcome);
  }

  private manager(client?: pg.PoolClient): EntityManager {
    const executor = {
      executeQuery: (statement: Statement) => (client ? this.within(client, statement) : this.alone(statement)),
    };
    const manager = {
      fork: () => manager,
      getConnection: () => ({ ensureConnection: () => Promise.resolve(), getClient: () => executor }),
      getTransactionContext: () => (client ? executor : undefined),
      transactional: <T>(act: (em: EntityManager) => Promise<T>): Promise<T> =>
        this.heard(this.inTransaction((own) => act(this.manager(own)), 'commit')),
    };
    return manager as unknown as EntityManager;
  }

  private alone(statement: Statement): Promise<Answer> {
    const run = async () => {
      await this.pass(statement.sql, false);
      return this.inTransaction((client) => this.query(client, statement), statement.sql);
    };
    return this.heard(run());
  }

  private async within(client: pg.PoolClient, statement: Statement): Promise<Answer> {
    await this.pass(statement.sql, true);
    return this.query(client, statement);
  }

  private async inTransaction<T>(act: (client: pg.PoolClient) => Promise<T>, sql: string): Promise<T> {
    const { database } = this;
    const client = await database.connect();
    try {
      await database.whileRunning(client.query(['begin', ...this.settings].join(';')));
      const answer = await act(client);
      const outcome = await this.halted('commit', sql, true);
      if (outcome === 'lost') throw new Error('the connection is lost');
      await database.whileRunning(client.query('commit'));
      if (outcome !== 'go') throw new Error('the connection is lost after the commit');
      return answer;
    } catch (error) {
      await database.whileRunning(client.query('rollback'));
      throw error;
    } finally {
      client.release();
    }
  }

  private async query(client: pg.PoolClient, statement: Statement): Promise<Answer> {
    const { sql, parameters } = statement;
    this.database.note(this, statement);
    const { rows, command, rowCount } = await this.database.whileRunning(client.query(sql, [...parameters]));
    return CHANGES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  private async pass(sql: string, isWithin: boolean): Promise<void> {
    if ((await this.halted('start', sql, isWithin)) !== 'go') throw new Error('the connection is lost');
  }

  private halted(at: Halt['at'], sql: string, isWithin: boolean): Promise<Outcome> {
    if (this.isDead) return Promise.resolve('lost');
    return this.isGated ? this.database.halt({ actor: this, at, sql, isWithin }) : Promise.resolve('go');
  }

  /** Never settles once the process was killed. */
  private async heard<T>(running: Promise<T>): Promise<T> {
    try {
      const answer = await running;
      if (!this.isDead) return answer;
    } catch (error) {
      if (!this.isDead) throw error;
    }
    return new Promise<never>(() => undefined);
  }
}
