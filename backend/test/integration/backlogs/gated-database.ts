import type { EntityManager } from '@mikro-orm/postgresql';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../../kit/database.js';

/** How a halted statement goes on. `lost` is a lost connection: nothing was done, or nobody hears that it was done. */
export type Outcome = 'go' | 'lost' | 'lost after commit';

/** A statement that stands still: before it runs, or after it ran and before its transaction commits. */
export interface Halt {
  actor: Actor;
  sql: string;
  at: 'start' | 'commit';
  /** Its transaction has begun and may hold locks. */
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

/** Connections of one test database beyond those that wait for a lock. */
const CONNECTIONS = 60;
/** Calls of the database within which processes come to a rest. */
const MOST_CALLS = 30_000;
/** Statements that an error names. */
const RECENT = 30;
/** Looks at what runs between two questions whether it waits for a lock. */
const LOOKS = 20;
const CHANGES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/** A database for processes whose statements a test runs one by one, in any order. */
export class GatedDatabase {
  readonly halts: Halt[] = [];
  /** Grows with each halt that a test ends. */
  passed = 0;
  private running = 0;
  private readonly recent: string[] = [];
  /** Grows with each call of the database. */
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

  /** @param settings statements with which each of its transactions begins */
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

  /** Waits until everything that runs stands still: at a halt, at a lock that somebody else holds, or at nothing more to do. */
  async still(): Promise<void> {
    const begun = this.asked;
    for (let looks = 1; ; looks++) {
      await setImmediate();
      const { asked } = this;
      if (asked - begun > MOST_CALLS) throw new Error(`no end of statements:\n${this.recent.join('\n')}`);
      if (this.running > 0 && (looks % LOOKS > 0 || (await this.locked()) !== this.running)) continue;
      // Whoever has just got an answer asks its next question before this.
      await setImmediate();
      if (this.asked === asked) return;
    }
  }

  /** Ends the transactions that have begun, and with them their locks. */
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

  /** Notes a statement for the error that says what never ends. */
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
 * A process of the product with connections of its own: its services get `em` in place of MikroORM's. The statements
 * run for real, each in a transaction whose start and commit wait for the test while `isGated`.
 */
export class Actor {
  isGated = false;
  isDead = false;
  /** What the services use of an entity manager: the statements of `rows` and `changed`, and transactions. */
  readonly em: EntityManager = this.manager();

  constructor(
    readonly name: string,
    private readonly database: GatedDatabase,
    private readonly settings: readonly string[],
  ) {}

  /** Ends the process: what stands still is rolled back, or committed and not heard of; nothing that it awaits comes back. */
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

  /** What a killed process awaits never ends. */
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
