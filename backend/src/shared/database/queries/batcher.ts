import { setTimeout as pause } from 'node:timers/promises';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Limits a statement to some hundred milliseconds, and still empties a burst in a few rounds. */
const MAX_ITEMS = 500;
/** How much smaller a batch becomes that exceeded the statement timeout: from 500 items to one in four tries. */
const SHRINK = 5;
/**
 * After this many single items in a row have exceeded the timeout, all waiting items fail, because something holds up
 * everything.
 */
const MAX_STUCK_BATCHES = 3;
/** SQLSTATE of a statement that exceeded its timeout. */
const QUERY_CANCELED = '57014';

/**
 * Combines concurrent calls into batches: while one batch runs, the next one collects items. A single caller does not
 * wait, and a thousand callers use one database connection. A batch that fails because of one item's data (a
 * constraint, a deadlock) is repeated item by item, so that each caller gets its own result. A batch that exceeds the
 * statement timeout, because the database is busy, is repeated in smaller ones, and those that follow stay small until
 * they succeed; an item alone that exceeds it fails, and all that wait where several do in a row.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;
  private most = MAX_ITEMS;
  /** Items in a row that exceeded the statement timeout by themselves. */
  private stuck = 0;

  /**
   * @param run processes all items or none and returns their results in the same order
   * @param gatherMs minimum collection time of a batch in milliseconds, for items that arrive in sequence and that no
   * request waits for
   */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly gatherMs = 0,
  ) {}

  /** @throws the batch's error, or the error of this item alone */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      if (this.gatherMs > 0 && this.waiting.length < this.most) await pause(this.gatherMs);
      await this.runBatch(this.waiting.splice(0, this.most));
    }
    this.isRunning = false;
  }

  private async runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
      this.stuck = 0;
      if (batch.length >= this.most) this.most = Math.min(this.most * 2, MAX_ITEMS);
    } catch (error) {
      if (batch.length > 1 && codeOf(error) === QUERY_CANCELED) {
        this.most = Math.ceil(batch.length / SHRINK);
        this.waiting.unshift(...batch);
      } else if (codeOf(error) === QUERY_CANCELED) {
        this.stuck++;
        for (const { reject } of this.stuck < MAX_STUCK_BATCHES ? batch : [...batch, ...this.waiting.splice(0)])
          reject(error);
      } else if (batch.length > 1 && isOfOneItem(error)) for (const one of batch) await this.runBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * SQLSTATE classes that one item can cause: 22 data, 23 constraint, 40 deadlock or serialization. A lost connection
 * concerns the whole batch.
 */
function isOfOneItem(error: unknown): boolean {
  return /^(22|23|40)...$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
