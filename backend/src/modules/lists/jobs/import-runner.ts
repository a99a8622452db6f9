import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { restWhileBusy } from '../../../shared/database/background-rest.js';
import { rows } from '../../../shared/database/rows.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { AttestedImports } from '../oversight/attested-imports.service.js';
import { readerOf, readLine, type ReadCells } from '../import-columns.js';
import { recordsFrom } from '../import-file.js';
import { PlanLimits } from '../plan-limits.service.js';
import type { ImportCheckpoint, ImportFailure } from '../entities/contact-import.entity.js';
import { addressesIn, type ImportLine, type ImportRun, ImportTaken, putBatch } from './import-batch.js';
import { type ClaimedImport, ImportScheduler } from './import-scheduler.service.js';

const BATCH_LINES = 5000;
/** Runs in a row that end in an error without a batch between them; then the file is given up. */
const MAX_ATTEMPTS = 5;

/** Time after which a worker looks whose import is next. */
const SLICE_MS = 1_000;
/** A file is given up where fewer of its first batch's lines hold an address; a share, 0 to 1. */
const LEAST_ADDRESSES = 0.1;
/** Lines of a given-up file that are shown. */
const SHOWN_REJECTS = 100;

type SliceEnd = 'ended' | 'more' | 'given up';

/**
 * Reads imports, a time slice at a time: batch by batch out of the stored pieces, with flat memory. After each slice the account
 * that has waited longest is served: an import waits for one slice of each other account with imports, never for whole files.
 */
@JobHandler('imports', 1)
export class ImportRunner implements HandlesJob<'imports'>, BeforeApplicationShutdown {
  private readonly log = new Logger(ImportRunner.name);
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(
    private readonly em: EntityManager,
    private readonly limits: PlanLimits,
    private readonly jobs: JobQueue,
    private readonly attested: AttestedImports,
    private readonly scheduler: ImportScheduler,
  ) {}

  /** A job only says that there is work; the scheduler decides in the database whose is next. */
  handle(): Promise<void> {
    if (this.stopping) return Promise.resolve();
    this.running = this.drain();
    return this.running;
  }

  /** The batch under way goes in; another worker goes on after it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running.catch(() => undefined);
  }

  private async drain(): Promise<void> {
    while (!this.stopping) {
      const slice = await this.scheduler.next();
      if (!slice) return;
      const importId = slice.kind === 'read' ? slice.claimed.id : slice.importId;
      await (slice.kind === 'read' ? this.readOn(slice.claimed) : this.carryOut(importId));
      if (this.stopping) await this.jobs.enqueue('imports', { importId }, { jobId: `${importId}:after:${process.pid}` });
    }
  }

  private async carryOut(importId: string): Promise<void> {
    try {
      await this.attested.carryOutPart(importId);
    } finally {
      await this.scheduler.release(importId);
    }
  }

  private async readOn(claimed: ClaimedImport): Promise<void> {
    try {
      const end = await this.slice(claimed);
      if (end === 'more') return await this.scheduler.release(claimed.id);
      await (end === 'ended' ? this.finish(claimed.id) : this.fail(claimed.id, 'no_addresses'));
    } catch (error) {
      if (error instanceof ImportTaken) return;
      await this.retryLater(claimed, error);
    }
    await this.jobs.kick('opt-in');
  }

  private async slice(claimed: ClaimedImport): Promise<SliceEnd> {
    const run: ImportRun = { ...claimed, contactLimit: claimed.owner_id ? await this.limits.contactLimitOf(claimed.owner_id) : null };
    const pool = await this.em.getConnection().getNativeClient();
    const until = Date.now() + SLICE_MS;
    let done = claimed.total;
    let batch: ImportLine[] = [];
    const put = async (checkpoint: ImportCheckpoint | null) => {
      await withClient(pool, (client) => putBatch(client, run, batch, { before: done, checkpoint }));
      done += batch.length;
      batch = [];
    };
    for await (const { line, checkpoint } of this.lines(claimed)) {
      if (batch.length === BATCH_LINES) {
        if (done === 0 && addressesIn(batch) < BATCH_LINES * LEAST_ADDRESSES) return await this.listFirst(pool, run, batch);
        // Not before an import's first batch: small ones end with it.
        if (done > 0) await restWhileBusy(this.em.fork());
        await put({ ...checkpoint, records: done + BATCH_LINES });
        if (this.stopping || Date.now() >= until) return 'more';
      }
      batch.push(line);
    }
    if (batch.length > 0) await put(null);
    return 'ended';
  }

  /** Of a file that is given up, the first lines are shown, so that people see what was read. */
  private async listFirst(pool: Pool, run: ImportRun, batch: ImportLine[]): Promise<SliceEnd> {
    const shown = batch.filter((line) => addressesIn([line]) === 0).slice(0, SHOWN_REJECTS);
    await withClient(pool, (client) => putBatch(client, run, shown, { before: 0, checkpoint: null }));
    const unlisted = batch.length - shown.length;
    await rows(this.em.fork(), `update contact_imports set total = total + ?, skipped = skipped + ?, rejects_unlisted = rejects_unlisted + ? where id = ?`, [unlisted, unlisted, unlisted, run.id]);
    return 'given up';
  }

  /** The file's lines from the last checkpoint on, each with its own; a header row is none. */
  private async *lines({ id, format, total, checkpoint }: ClaimedImport): AsyncGenerator<{ line: ImportLine; checkpoint: Omit<ImportCheckpoint, 'records'> }> {
    // A version without checkpoints may have gone on meanwhile: then the records are counted from the beginning.
    const from = checkpoint?.records === total ? checkpoint : null;
    let skip = from ? 0 : total;
    let header = from?.header ?? null;
    let read: ReadCells | null = from && ((header && readerOf(header)) ?? readLine);
    for await (const { line, cells, position } of recordsFrom(this.pieces(id, from?.offset ?? 0), from)) {
      if (!read) {
        const byHeader = format === 'csv' ? readerOf(cells) : null;
        read = byHeader ?? readLine;
        header = byHeader && cells;
        if (byHeader) continue;
      }
      if (skip > 0) skip -= 1;
      else yield { line: { line, ...read(cells) }, checkpoint: { ...position, header } };
    }
  }

  /** The file from a byte on. */
  private async *pieces(id: string, offset: number): AsyncGenerator<Uint8Array> {
    const [first] = await rows<{ position: number; begins: string }>(this.em.fork(), PIECE_AT, [id, offset]);
    for (let position = first?.position ?? 0, skip = offset - Number(first?.begins ?? 0); ; position += 1, skip = 0) {
      const [piece] = await rows<{ content: Buffer }>(this.em.fork(), 'select content from contact_import_chunks where import_id = ? and position = ?', [id, position]);
      if (!piece) return;
      yield skip > 0 ? piece.content.subarray(skip) : piece.content;
    }
  }

  private async finish(id: string): Promise<void> {
    await this.em.transactional(async (em) => {
      await rows(em, `update contact_imports set status = 'done', bytes_done = bytes_total, lease_until = null, finished_at = now() where id = ? and status = 'running'`, [id]);
      await rows(em, 'delete from contact_import_chunks where import_id = ?', [id]);
    });
  }

  /** Ends an import as failed; what went in stays in. Where nothing did, no admin has to decide about an attestation. */
  private async fail(id: string, failure: ImportFailure): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await rows(em, `update contact_imports set status = 'failed', failure = ?, lease_until = null, finished_at = now(), attestation_state = case when added > 0 then attestation_state end where id = ? and status = 'running'`, [failure, id]);
      await rows(em, 'delete from contact_import_chunks where import_id = ?', [id]);
    });
  }

  /** Tried again in 15 seconds, or given up after MAX_ATTEMPTS. */
  private async retryLater({ id, attempts }: ClaimedImport, error: unknown): Promise<void> {
    this.log.error({ err: error, importId: id, code: 'import_failed', attempt: attempts }, 'an import stopped');
    await rows(this.em.fork(), `update contact_imports set lease_until = now() + interval '15 seconds', error = ? where id = ? and status = 'running'`, [String((error as Error).message).slice(0, 500), id]);
    if (attempts >= MAX_ATTEMPTS) await this.fail(id, 'fault');
  }
}

/** The piece that a byte of the file lies in, and the byte that it begins at. */
const PIECE_AT = `
  select position, begins from (
    select position, sum(octet_length(content)) over (order by position) - octet_length(content) as begins from contact_import_chunks where import_id = ?
  ) piece where begins <= ? order by position desc limit 1`;

async function withClient(pool: { connect(): Promise<PoolClient> }, use: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await use(client);
    client.release();
  } catch (error) {
    client.release(!(error instanceof ImportTaken));
    throw error;
  }
}
