import { setTimeout as pause } from 'node:timers/promises';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Maximum number of items per batch. A statement then takes at most some hundred milliseconds, and a burst is finished
 * in a few batches.
 */
const MAX_ITEMS = 500;
/** Divisor of the batch size after a statement timeout: four timeouts reduce a batch of 500 items to one item. */
const SHRINK = 5;
/** If this many single items in a row exceed the timeout, the database itself is stuck, so all waiting items fail. */
const MAX_STUCK_BATCHES = 3;
/** SQLSTATE of a statement that exceeded its timeout. */
const QUERY_CANCELED = '57014';

/**
 * Combines concurrent calls into batches: while one batch runs, the next one collects items. A single caller does not
 * wait, and a thousand callers use one database connection.
 * - A batch that fails because of one item's data (a constraint, a deadlock) is repeated item by item, so that each
 * caller gets its own result.
 * - A batch that exceeds the statement timeout is repeated in smaller batches; the size grows again once batches
 * succeed. A single item that exceeds the timeout fails. If several single items in a row exceed it, all waiting items
 * fail.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;
  private most = MAX_ITEMS;
  /** Number of single items in a row that exceeded the statement timeout. */
  private stuck = 0;

  /**
   * @param run processes either all items or none; returns the results in the order of the items
   * @param gatherMs minimum time in milliseconds for which a batch collects items. For items that arrive one after the
   * other and that no request waits for.
   */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly gatherMs = 0,
  ) {}

  /** @throws the error of the batch, or of this item if the items were repeated one by one */
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
 * Whether a single item may have caused the error, judged by SQLSTATE class: 22 data, 23 constraint, 40 deadlock or
 * serialization. A lost connection affects the whole batch.
 */
function isOfOneItem(error: unknown): boolean {
  return /^(22|23|40)...$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
