import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Keyset, type KeysetRow } from '../../../../shared/database/queries/keyset.js';
import { readPage } from '../../../../shared/database/queries/read-page.js';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { Page } from '../../../../shared/http/index.js';
import { ContactImport } from '../../entities/contact-import.entity.js';
import { importNotFound } from '../../lists.errors.js';
import { failureText } from '../direct/direct-import-view.service.js';
import { KEPT_DAYS } from '../running/import-sweeper.js';
import type { AccountImportDetailDto } from './account-import.dto.js';
import type { ImportReportDto } from './import-report.dto.js';
import type { ImportPageQuery } from './import-request.dto.js';
import type { AccountImportDto, ImportResultDto, ShownStatus } from './import-summary.dto.js';

const DAY_MS = 86_400_000;
const NOTHING = { domains: 0, people: 0 };

type Shown = Pick<
  ContactImport,
  | 'id'
  | 'status'
  | 'stage'
  | 'goal'
  | 'isDirect'
  | 'fileName'
  | 'fileKind'
  | 'fileInfo'
  | 'columns'
  | 'options'
  | 'report'
  | 'failure'
  | 'lines'
  | 'checked'
  | 'total'
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'skipped'
  | 'added'
  | 'removed'
  | 'takenOff'
  | 'kept'
  | 'bytesDone'
  | 'bytesTotal'
> & {
  listId: string | null;
  listName: string | null;
  createdAt: string | Date;
  touchedAt: string | Date;
  finishedAt: string | Date | null;
  committedAt: string | Date | null;
  isDecisionOpen: boolean;
};

const COLUMNS = `i.id, i.status, i.stage, i.goal, i.is_direct as "isDirect", i.file_name as "fileName", i.file_kind as "fileKind", i.file_info as "fileInfo", i.columns, i.options, i.report, i.failure,
  i.lines, i.checked, i.total, i.created, i.updated, i.unchanged, i.skipped, i.added, i.removed, i.taken_off as "takenOff", i.kept, i.bytes_done as "bytesDone", i.bytes_total as "bytesTotal", l.id as "listId", l.name as "listName",
  i.created_at as "createdAt", i.touched_at as "touchedAt", i.finished_at as "finishedAt", i.committed_at as "committedAt", i.decided_at is not null and i.carried_out_at is null as "isDecisionOpen"`;
const FROM = `contact_imports i left join email_lists l on l.id = i.email_list_id and l.deleted_at is null`;

/** Shows an account's imports. */
@Injectable()
export class ImportView {
  constructor(private readonly em: EntityManager) {}

  /** A page of the account's imports, newest first. */
  async page(userId: string, query: ImportPageQuery & { limit: number }): Promise<Page<AccountImportDto>> {
    const keyset = new Keyset(
      { createdAt: { expression: 'i.created_at', type: 'timestamptz' } },
      '-createdAt',
      query.cursor,
      'i.id',
    );
    const page = await readPage<Shown & KeysetRow>(this.em.fork(), keyset, query.limit, {
      columns: COLUMNS,
      from: FROM,
      countFrom: 'contact_imports i',
      where: { sql: `i.user_id = ? and i.status not in ('uploading', 'discarded')`, params: [userId] },
    });
    return { ...page, rows: page.rows.map(summaryOf) };
  }

  /** One import with its details. @throws 404 */
  async one(userId: string, id: string): Promise<AccountImportDetailDto> {
    const [found] = await rows<Shown>(
      this.em.fork(),
      `select ${COLUMNS} from ${FROM} where i.id = ? and i.user_id = ?`,
      [id, userId],
    );
    if (!found) throw importNotFound();
    const { fileInfo, options, columns, report, lines } = found;
    return {
      ...summaryOf(found),
      encoding: fileInfo.encoding ?? null,
      sheets: fileInfo.sheets ?? [],
      sheet: options.sheet ?? null,
      hasHeader: options.hasHeader ?? false,
      lines,
      columns: (columns ?? []).map((column, index) => ({ index, ...column })),
      options: {
        listId: found.listId,
        tags: options.tags ?? [],
        existing: options.existing ?? 'fill',
        roles: options.roles ?? 'keep',
        attestation: options.attestation ?? null,
      },
      report: report ? ({ ...report, unchecked: report.unchecked ?? NOTHING } as ImportReportDto) : null,
    };
  }
}

function summaryOf(row: Shown): AccountImportDto {
  const { id, status, stage, fileName, fileKind, listId, listName, touchedAt } = row;
  const isUnfinished = status === 'mapping' || status === 'ready' || (status === 'failed' && stage !== null);
  return {
    id,
    status: shownStatus(row),
    stage: stage ?? null,
    fileName: fileName ?? null,
    fileKind: fileKind ?? null,
    listId,
    listName,
    progress: progressOf(row),
    result: resultOf(row),
    undoUntil: undoUntil(row)?.toISOString() ?? null,
    expiresAt: isUnfinished ? new Date(new Date(touchedAt).getTime() + KEPT_DAYS * DAY_MS).toISOString() : null,
    message: failureText(row),
    createdAt: new Date(row.createdAt).toISOString(),
    finishedAt: row.finishedAt && new Date(row.finishedAt).toISOString(),
  };
}

/**
 * Status of an import as the API names it. A direct import never waits for its user, so it counts as running in the
 * state `ready`.
 */
function shownStatus({ status, isDirect }: Shown): ShownStatus {
  if (status === 'queued') return 'reading';
  return isDirect && status === 'ready' ? 'running' : status;
}

function progressOf(row: Shown): AccountImportDto['progress'] {
  const { status, stage, lines, checked, total, bytesDone, bytesTotal } = row;
  if (status === 'uploading' || status === 'queued') return { done: 0, total: 0 };
  if (stage === 'read') {
    const share = bytesTotal > 0 ? bytesDone / bytesTotal : 0;
    return { done: lines, total: share > 0 ? Math.max(lines, Math.round(lines / share)) : lines };
  }
  // `checked` counts each line twice: when it is staged, and when it is judged.
  if (stage === 'check') return { done: Math.min(lines, Math.floor(checked / 2)), total: lines };
  if (stage === 'undo') return { done: row.removed, total: Math.max(row.created, row.removed) };
  return row.committedAt ? { done: total, total: Math.max(lines, total) } : { done: 0, total: lines };
}

function resultOf(row: Shown): ImportResultDto | null {
  const { status, committedAt, created, updated, unchanged, skipped, removed, takenOff, kept, added, isDirect } = row;
  const isOver = status === 'done' || status === 'undone' || (status === 'failed' && committedAt !== null);
  if (!isOver) return null;
  // Imports of earlier versions counted only members of their list.
  const isCounted = committedAt !== null;
  return {
    added: isCounted ? created : added,
    updated: isCounted ? (isDirect ? Math.max(0, added - created) : updated) : 0,
    unchanged,
    leftOut: skipped,
    removed,
    takenOff,
    kept: kept ?? [],
  };
}

/** Time until which an import can be undone. @returns null if the import cannot be undone */
export function undoUntil(
  row: Pick<Shown, 'status' | 'stage' | 'finishedAt' | 'committedAt' | 'isDecisionOpen'>,
): Date | null {
  const { status, stage, finishedAt, committedAt, isDecisionOpen } = row;
  const hasPeople = status === 'done' || (status === 'failed' && (stage === 'commit' || stage === 'undo'));
  if (!hasPeople || !finishedAt || !committedAt || isDecisionOpen) return null;
  const until = new Date(new Date(finishedAt).getTime() + KEPT_DAYS * DAY_MS);
  return until.getTime() > Date.now() ? until : null;
}
