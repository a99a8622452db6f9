import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../../shared/errors/app-error.js';
import { inTransaction, rows } from '../../../../shared/database/queries/rows.js';
import { ImportedPeople } from '../../../contacts/index.js';
import { Accounts } from '../../../auth/index.js';
import { ImportMappings } from '../import-mappings.service.js';
import { ImportQuota } from '../import-quota.service.js';
import { MAX_COLUMNS } from '../upload/first-line-width.js';
import { openSource } from '../reading/open-source.js';
import type { ImportRecord, RecordSource } from '../reading/record-source.js';
import {
  type ClaimedImport,
  ClaimLost,
  recordProgress,
  recordRepeatable,
  type SliceClock,
  type SliceEnd,
} from './claimed-import.js';
import { type ColumnSurvey, surveyColumns, surveyDirect } from './column-survey.js';
import { firstRecords } from './erased-people.js';
import { BlockBuilder, writeBlock } from './record-blocks.js';
import { openStoredFile } from './stored-file.js';

/** Limits of direct imports. Their files may have more columns, because the user does not choose targets. */
const DIRECT_LIMITS = { columns: MAX_COLUMNS };
/** Maximum number of files that a worker keeps open; a further file is read to its end in one slice. */
const MAX_OPEN_READERS = 4;

/** Thrown if the file cannot be read; the message is shown to the user. */
export class UnreadableFile extends Error {}

interface OpenFile {
  run: number;
  source: RecordSource;
  batches: AsyncIterator<ImportRecord[]>;
  blocks: BlockBuilder;
  /** Position of the next block. */
  position: number;
  records: number;
}

/**
 * Turns a file of any kind into blocks of records. A reader cannot continue in the middle of a file, so it stays open
 * between time slices; after a crash another worker reads the file from its beginning.
 */
@Injectable()
export class ReadStage {
  private readonly open = new Map<string, OpenFile>();

  constructor(
    private readonly em: EntityManager,
    private readonly people: ImportedPeople,
    private readonly mappings: ImportMappings,
    private readonly accounts: Accounts,
    private readonly quota: ImportQuota,
  ) {}

  /** Runs of the imports whose files are open in this worker. */
  held(): Map<string, number> {
    return new Map([...this.open].map(([id, { run }]) => [id, run]));
  }

  /** Runs one time slice. @throws UnreadableFile */
  async slice(claimed: ClaimedImport, clock: SliceClock): Promise<SliceEnd> {
    try {
      const file = this.ownOpen(claimed) ?? (await this.begin(claimed));
      for (;;) {
        const { value: batch, done } = await file.batches.next();
        if (done) break;
        for (const record of batch) {
          file.records += 1;
          const block = file.blocks.add(record);
          if (block) await this.write(claimed, file, block);
        }
        if (!clock.isOver() || this.open.size > MAX_OPEN_READERS) continue;
        await inTransaction(this.em, (em) => this.noteProgress(em, claimed, file));
        return 'more';
      }
      await this.write(claimed, file, file.blocks.take());
      await this.end(claimed, file);
    } catch (error) {
      await this.close(claimed.id);
      if (error instanceof AppError) throw new UnreadableFile(error.message);
      throw error;
    }
    await this.close(claimed.id);
    return 'ended';
  }

  /** Closes an import's file and frees its resources in this worker. */
  async close(importId: string): Promise<void> {
    const file = this.open.get(importId);
    this.open.delete(importId);
    await file?.batches.return?.();
    await file?.source.close();
  }

  /** Closes the files of imports that this worker no longer holds. */
  async closeOthers(held: ReadonlyMap<string, number>): Promise<void> {
    for (const id of [...this.open.keys()]) if (!held.has(id)) await this.close(id);
  }

  /** Closes all open files; other workers read them again from the start. @returns ids of their imports */
  async closeAll(): Promise<string[]> {
    const ids = [...this.open.keys()];
    for (const id of ids) await this.close(id);
    return ids;
  }

  private ownOpen({ id, run }: ClaimedImport): OpenFile | undefined {
    const file = this.open.get(id);
    return file?.run === run ? file : undefined;
  }

  private async begin(claimed: ClaimedImport): Promise<OpenFile> {
    await this.close(claimed.id);
    const { id, userId, run, isDirect, format, options } = claimed;
    const stored = await openStoredFile(this.em.fork(), id);
    if (!stored) throw new ClaimLost();
    const mostRows = this.quota.rowsOf({ isVerified: await this.accounts.isVerified(userId) });
    const source = await openSource(stored, {
      pasted: !isDirect && format === 'lines',
      limits: { ...(isDirect && DIRECT_LIMITS), ...(mostRows && { rows: mostRows }) },
    });
    const file: OpenFile = {
      run,
      source,
      batches: source.records(options.sheet ?? undefined)[Symbol.asyncIterator](),
      blocks: new BlockBuilder(),
      position: 0,
      records: 0,
    };
    this.open.set(id, file);
    await inTransaction(this.em, async (em) => {
      await recordRepeatable(em, claimed, `lines = 0, checked = 0, bytes_done = 0, report = null, checkpoint = null`);
      await rows(em, `delete from contact_import_records where import_id = ?`, [id]);
    });
    return file;
  }

  private async write(claimed: ClaimedImport, file: OpenFile, block: readonly ImportRecord[]): Promise<void> {
    if (block.length === 0) return;
    await inTransaction(this.em, async (em) => {
      await writeBlock(em, claimed.id, file.position, block);
      await this.noteProgress(em, claimed, file);
    });
    file.position += 1;
  }

  private async noteProgress(em: EntityManager, claimed: ClaimedImport, { source, records }: OpenFile): Promise<void> {
    const { done, total } = source.progress();
    await recordRepeatable(em, claimed, `lines = ?, bytes_done = (bytes_total * ?::float8)::int`, [
      records,
      total > 0 ? Math.min(1, done / total) : 0,
    ]);
  }

  /** Ends the stage, and determines the columns unless an earlier run has done so. */
  private async end(claimed: ClaimedImport, { source, records }: OpenFile): Promise<void> {
    const { id, options, goal } = claimed;
    const { kind, encoding, sheets, uses1904 } = source;
    await inTransaction(this.em, async (em) => {
      // Erasure takes this lock too, so that no sample is stored after its person was erased.
      await rows(em, `select id from contact_imports where id = ? for update`, [id]);
      const { hasHeader, columns } = await this.columnsOf(em, claimed);
      await recordProgress(
        em,
        claimed,
        `lines = ?, bytes_done = bytes_total, file_kind = ?, file_info = ?::jsonb, columns = ?::jsonb, options = options || ?::jsonb, ${STAGE_AFTER_READING[goal]}`,
        [
          Math.max(0, records - (hasHeader ? 1 : 0)),
          kind,
          JSON.stringify({ encoding, sheets, uses1904 }),
          JSON.stringify(columns),
          JSON.stringify({ hasHeader, sheet: options.sheet ?? sheets[0]?.index ?? null }),
        ],
      );
    });
  }

  private async columnsOf(em: EntityManager, claimed: ClaimedImport): Promise<ColumnSurvey> {
    const { id, isDirect, format, ownerId, userId, options, columns } = claimed;
    if (columns) return { hasHeader: options.hasHeader ?? false, columns };
    const survey = {
      hasHeader: options.hasHeader,
      fields: ownerId ? await this.people.fieldDefinitions(ownerId) : [],
      remembered: (header: readonly string[]) => this.mappings.find(userId, header),
    };
    const first = await firstRecords(em, id);
    return isDirect ? surveyDirect(first, survey, format === 'csv') : surveyColumns(first, survey);
  }
}

/** SQL assignments for the stage after reading, by goal. */
const STAGE_AFTER_READING: Record<ClaimedImport['goal'], string> = {
  mapping: `status = 'mapping', stage = null`,
  ready: `status = 'checking', stage = 'check'`,
  done: `status = case when committed_at is null then 'checking' else 'running' end, stage = 'check'`,
};
