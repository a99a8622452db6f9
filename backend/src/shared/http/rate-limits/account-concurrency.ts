import { AppError } from '../../errors/app-error.js';

interface Account {
  running: number;
  waiting: (() => void)[];
}

interface Limits {
  /** Maximum number of concurrent tasks over all accounts; default: unlimited. */
  concurrent?: number;
  /** Maximum number of concurrent tasks per account, including long ones. */
  perAccount: number;
  /** Maximum number of waiting tasks per account; further ones are refused. */
  mostWaiting: number;
  /**
   * Milliseconds after which a running task no longer counts towards `concurrent`, so that slow tasks do not block the
   * other accounts.
   */
  longMs?: number;
}

const RETRY_SECONDS = 10;
/** Account id. Work without an account gets a unique symbol, so that it counts as an account of its own. */
export type ConcurrencyKey = string | symbol;

/** Limits concurrent work in this process. Accounts take turns, however much work each of them has. */
export class AccountConcurrency {
  /** Accounts with running or waiting work. The account whose last turn is longest ago comes first. */
  private readonly accounts = new Map<ConcurrencyKey, Account>();
  private inUse = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * @param what names the kind of work in the error message
   * @throws 429 with Retry-After if too much work of the account is waiting
   */
  assertRoom(account: ConcurrencyKey, what: string): void {
    if ((this.accounts.get(account)?.waiting.length ?? 0) < this.limits.mostWaiting) return;
    throw new AppError(
      'too_many_waiting',
      429,
      `Too many ${what} of this account are waiting already. Please try again when some of them have ended.`,
      { headers: { 'Retry-After': String(RETRY_SECONDS) } },
    );
  }

  /**
   * Runs the work when it is the account's turn.
   * @throws the work's error
   */
  take<T>(account: ConcurrencyKey, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const of = this.accounts.get(account) ?? { running: 0, waiting: [] };
      this.accounts.set(account, of);
      of.waiting.push(() => void this.run(of, account, work).then(resolve, reject));
      this.next();
    });
  }

  private async run<T>(of: Account, account: ConcurrencyKey, work: () => Promise<T>): Promise<T> {
    of.running++;
    this.inUse++;
    let isCounted = true;
    const uncount = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.inUse--;
      this.next();
    };
    const timer = this.limits.longMs === undefined ? undefined : setTimeout(uncount, this.limits.longMs).unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      of.running--;
      if (of.running === 0 && of.waiting.length === 0) this.accounts.delete(account);
      if (isCounted) uncount();
      else this.next();
    }
  }

  private next(): void {
    while (this.inUse < (this.limits.concurrent ?? Infinity)) {
      const start = this.nextOf();
      if (!start) return;
      start();
    }
  }

  private nextOf(): (() => void) | undefined {
    for (const [account, of] of this.accounts) {
      if (of.waiting.length === 0 || of.running >= this.limits.perAccount) continue;
      this.accounts.delete(account);
      this.accounts.set(account, of);
      return of.waiting.shift();
    }
    return undefined;
  }
}

/** Limits of searches, per account and process. */
const concurrency = new AccountConcurrency({ perAccount: 3, mostWaiting: 50 });

/**
 * Limits concurrent searches to three per account, so that one account cannot occupy all database connections of the
 * process. Does not limit pages without a search. Downloads have their own limit (streams.ts).
 * @param isCostly whether a query without a search costs as much as a search
 * @throws 429 if too many searches of the account are waiting
 */
export function limitSearches<Q extends { search?: string }, P>(
  user: { id: string },
  page: (query: Q) => Promise<P>,
  isCostly: (query: Q) => boolean = () => false,
): (query: Q) => Promise<P> {
  return async (query) => {
    if (!query.search?.trim() && !isCostly(query)) return page(query);
    concurrency.assertRoom(user.id, 'searches');
    return concurrency.take(user.id, () => page(query));
  };
}
