import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { rows } from '../../../shared/database/rows.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { AttestedImports } from '../oversight/attested-imports.service.js';
import { readerOf, readLine, type ReadCells } from '../import-columns.js';
import { importRecords, physicalLines } from '../import-lines.js';
import { PlanLimits } from '../plan-limits.service.js';
import { type ImportLine, type ImportRun, ImportTaken, putBatch } from './import-batch.js';

const BATCH_LINES = 5000;
/** Runs in a row that end in an error without a batch between them; then the file is given up. */
const MAX_ATTEMPTS = 5;

interface Claimed extends Omit<ImportRun, 'contactLimit'> {
  format: 'csv' | 'lines';
  /** Records that earlier runs have dealt with. */
  total: number;
  attempts: number;
}

/** Runs imports: one line after the other out of the stored pieces, batch by batch, with flat memory. */
@JobHandler('imports', 1)
export class ImportRunner implements HandlesJob<'imports'>, BeforeApplicationShutdown {
  private readonly log = new Logger(ImportRunner.name);
  private underWay: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(
    private readonly em: EntityManager,
    private readonly limits: PlanLimits,
    private readonly jobs: JobQueue,
    private readonly attested: AttestedImports,
  ) {}

  handle({ importId }: { importId: string }): Promise<void> {
    if (this.stopping) return Promise.resolve();
    this.underWay = this.work(importId);
    return this.underWay;
  }

  /** The batch under way goes in; another worker goes on after it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.underWay.catch(() => undefined);
  }

  private async work(importId: string): Promise<void> {
    const claimed = await this.claim(importId);
    if (!claimed) return this.attested.carryOut(importId);
    try {
      if (!(await this.run(claimed))) return await this.handOn(claimed);
      await this.finish(importId);
    } catch (error) {
      if (error instanceof ImportTaken) return;
      await this.giveBack(claimed, error);
    }
    await this.jobs.enqueue('opt-in', {});
  }

  /** Only one worker has it at a time, by the database's clock; a lapsed lease is a dead worker's. */
  private async claim(importId: string): Promise<Claimed | undefined> {
    const [claimed] = await rows<Claimed>(
      this.em,
      `update contact_imports i set status = 'running', attempts = i.attempts + 1, lease_until = now() + interval '60 seconds'
       from email_lists l
       where i.id = ? and l.id = i.email_list_id and (i.status = 'queued' or (i.status = 'running' and (i.lease_until is null or i.lease_until < now())))
       returning i.id, i.email_list_id, i.user_id, l.owner_id, i.subscription_type, i.attestation, i.format, i.total, i.attempts`,
      [importId],
    );
    return claimed;
  }

  /** @returns whether it came to the end */
  private async run(claimed: Claimed): Promise<boolean> {
    const run: ImportRun = { ...claimed, contactLimit: claimed.owner_id ? await this.limits.contactLimitOf(claimed.owner_id) : null };
    const progress = { bytes: 0 };
    const pool = await this.em.getConnection().getNativeClient();
    let done = claimed.total;
    let skip = claimed.total;
    let batch: ImportLine[] = [];
    const put = async () => {
      if (batch.length === 0) return;
      await withClient(pool, (client) => putBatch(client, run, batch, { before: done, bytesDone: progress.bytes }));
      done += batch.length;
      batch = [];
    };
    for await (const line of this.lines(claimed, progress)) {
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      batch.push(line);
      if (batch.length < BATCH_LINES) continue;
      await put();
      if (this.stopping) return false;
    }
    await put();
    return true;
  }

  private async handOn({ id, attempts }: Claimed): Promise<void> {
    await rows(this.em, `update contact_imports set lease_until = now() where id = ? and status = 'running'`, [id]);
    await this.jobs.enqueue('imports', { importId: id }, { jobId: `${id}:after${attempts}:${process.pid}` });
  }

  /** The file's lines, read; a header row is none. */
  private async *lines({ id, format }: Claimed, progress: { bytes: number }): AsyncGenerator<ImportLine> {
    let read: ReadCells | undefined;
    for await (const { line, cells } of importRecords(counted(physicalLines(this.pieces(id)), progress))) {
      if (!read) {
        const byHeader = format === 'csv' ? readerOf(cells) : null;
        read = byHeader ?? readLine;
        if (byHeader) continue;
      }
      yield { line, ...read(cells) };
    }
  }

  private async *pieces(id: string): AsyncGenerator<Uint8Array> {
    for (let position = 0; ; position += 1) {
      const [piece] = await rows<{ content: Buffer }>(this.em, 'select content from contact_import_chunks where import_id = ? and position = ?', [id, position]);
      if (!piece) return;
      yield piece.content;
    }
  }

  private async finish(id: string): Promise<void> {
    await this.em.transactional(async (em) => {
      await rows(em, `update contact_imports set status = 'done', bytes_done = bytes_total, lease_until = null, finished_at = now() where id = ? and status = 'running'`, [id]);
      await rows(em, 'delete from contact_import_chunks where import_id = ?', [id]);
    });
  }

  /** Tried again by the sweeper in a quarter of a minute, or given up; what went in stays in. */
  private async giveBack({ id, attempts }: Claimed, error: unknown): Promise<void> {
    this.log.error({ err: error, importId: id }, 'an import stopped');
    const [row] = await rows<{ status: string }>(
      this.em,
      `update contact_imports set lease_until = now() + interval '15 seconds', error = ?, status = case when attempts >= ? then 'failed' else status end,
              finished_at = case when attempts >= ? then now() end
       where id = ? and status = 'running' returning status`,
      [String((error as Error).message).slice(0, 500), MAX_ATTEMPTS, MAX_ATTEMPTS, id],
    );
    if (row?.status === 'failed') await rows(this.em, 'delete from contact_import_chunks where import_id = ?', [id]);
    else this.log.warn(`import ${id} goes on after a pause (attempt ${attempts})`);
  }
}

/** Counts the bytes of lines as they are used: pieces are read ahead, lines are not. */
async function* counted(lines: AsyncIterable<string>, progress: { bytes: number }): AsyncGenerator<string> {
  for await (const line of lines) {
    progress.bytes += Buffer.byteLength(line) + 1;
    yield line;
  }
}

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
