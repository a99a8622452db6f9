import { AppError } from '../../errors/app-error.js';

interface Account {
  running: number;
  waiting: (() => void)[];
}

interface Limits {
  /** Maximum concurrent work over all accounts; default: unlimited. */
  concurrent?: number;
  /** Maximum concurrent work per account, including long-running work. */
  perAccount: number;
  /** Maximum waiting work per account; more is refused. */
  mostWaiting: number;
  /**
   * After this many milliseconds work no longer counts towards `concurrent`, so that slow work does not block all others.
   */
  longMs?: number;
}

const RETRY_SECONDS = 10;
/** Work without an account has a unique symbol as its key. */
export type ConcurrencyKey = string | symbol;

/** Limits concurrent work in this process and shares it between accounts by round robin, however much work each has. */
export class AccountConcurrency {
  /** Accounts with work, ordered by their last turn, the longest-waiting first. */
  private readonly accounts = new Map<ConcurrencyKey, Account>();
  private inUse = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * @param what names the work in the error
   * @throws 429 with Retry-After where too much of the account's work waits already
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

  /** Runs the work when the account is next. @throws the work's error */
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

/** Running and waiting searches per account and process. */
const concurrency = new AccountConcurrency({ perAccount: 3, mostWaiting: 50 });

/**
 * Limits concurrent searches to three per account, so that one account cannot occupy all database connections of the
 * process. Pages without a search are not limited; downloads have a limit of their own (streams.ts).
 * @param isCostly which further queries cost as much as a search
 * @throws 429 where too many searches of the account wait already
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
