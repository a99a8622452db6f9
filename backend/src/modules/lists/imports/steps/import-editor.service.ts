import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../../shared/database/queries/rows.js';
import { invalid } from '../../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../../shared/http/index.js';
import { ImportedPeople } from '../../../contacts/index.js';
import { ContactImport } from '../../entities/contact-import.entity.js';
import type { ImportColumn, ImportOptions } from '../../entities/contact-import.values.js';
import { contactTypeOf } from '../../list-owners.service.js';
import { importNotFound, importState } from '../../lists.errors.js';
import { ListAccess } from '../../my-lists/list-access.service.js';
import { ImportMappings } from '../import-mappings.service.js';
import { mappingFault } from '../judging/targets.js';
import { surveyColumns } from '../running/column-survey.js';
import { firstRecords } from '../running/erased-people.js';
import type { UpdateImportDto } from './import-request.dto.js';

/** Changes the options of an import while it waits for its user. */
@Injectable()
export class ImportEditor {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly people: ImportedPeople,
    private readonly mappings: ImportMappings,
  ) {}

  /**
   * Changes the given options. Drops the result of a check if the change would alter it. If another sheet is chosen,
   * that sheet is read first. Concurrent calls run one after the other.
   * @throws 404 for the import or the list, 400, 409 if the import does not wait for its user
   */
  async update(user: RequestUser, id: string, body: UpdateImportDto): Promise<void> {
    const found = await this.em.fork().findOne(ContactImport, { id, userId: user.id });
    if (!found) throw importNotFound();
    requireWaiting(found);
    const listId = body.listId === undefined ? undefined : await this.listOf(user, body.listId);
    await this.onLocked(user.id, id, (em, locked) => this.store(em, user, locked, body, listId));
  }

  private async store(
    em: EntityManager,
    user: RequestUser,
    found: ContactImport,
    body: UpdateImportDto,
    listId: string | null | undefined,
  ): Promise<void> {
    requireWaiting(found);
    if (body.sheet !== undefined && !found.fileInfo.sheets?.some(({ index }) => index === body.sheet))
      throw invalid('sheet', 'There is no such sheet');
    const isOtherSheet = body.sheet !== undefined && body.sheet !== found.options.sheet;
    const columns = isOtherSheet ? null : await this.columnsOf(em, user.id, found, body);
    const options: ImportOptions = { ...given(body), ...(isOtherSheet && { sheet: body.sheet }) };
    const isChecked = found.status === 'ready' && !changesVerdicts(body);
    await changed(em, UPDATE, [
      listId !== undefined,
      listId ?? null,
      isOtherSheet,
      columns && JSON.stringify(columns),
      JSON.stringify(options),
      isOtherSheet ? 'reading' : isChecked ? 'ready' : 'mapping',
      isOtherSheet ? 'read' : null,
      isChecked,
      contactTypeOf(user.role),
      this.linesChange(found, body),
      isOtherSheet || readsOtherAddresses(found, body, columns),
      found.id,
    ]);
  }

  private async listOf(user: RequestUser, listId: string | null): Promise<string | null> {
    return listId === null ? null : (await this.access.require(user, listId.toLowerCase())).id;
  }

  /** The changed columns. @returns null if the columns stay as they are */
  private async columnsOf(
    em: EntityManager,
    userId: string,
    { id, columns, options }: ContactImport,
    { hasHeader, mapping }: UpdateImportDto,
  ): Promise<ImportColumn[] | null> {
    let next = columns ?? [];
    if (hasHeader !== undefined && hasHeader !== options.hasHeader) {
      const first = await firstRecords(em, id);
      const remembered = (header: readonly string[]) => this.mappings.find(userId, header);
      next = (await surveyColumns(first, { hasHeader, fields: await this.people.fieldDefinitions(userId), remembered }))
        .columns;
    } else if (mapping === undefined) return null;
    if (mapping === undefined) return next;
    if (mapping.length !== next.length)
      throw invalid('mapping', `Please say for each of the ${next.length} columns where it goes`);
    const fault = mappingFault(mapping, await this.people.fieldDefinitions(userId));
    // The columns may still lack an address column; only a check requires one.
    if (fault && mapping.includes('email')) throw invalid('mapping', fault);
    return next.map((column, at) =>
      column.target === mapping[at] ? column : { ...column, target: mapping[at]!, from: 'chosen' },
    );
  }

  /** Change in the number of lines, if the first row becomes a header or the header becomes a line. */
  private linesChange({ options }: ContactImport, { hasHeader }: UpdateImportDto): number {
    if (hasHeader === undefined || hasHeader === (options.hasHeader ?? false)) return 0;
    return hasHeader ? -1 : 1;
  }

  /** An import of the user, locked until the transaction ends. @throws 404 */
  async lock(em: EntityManager, userId: string, id: string): Promise<ContactImport> {
    const [there] = await rows(em, `select id from contact_imports where id = ? and user_id = ? for update`, [
      id,
      userId,
    ]);
    const found = there && (await em.findOne(ContactImport, { id, userId }, { refresh: true }));
    if (!found) throw importNotFound();
    return found;
  }

  /** Runs `act` on a locked import. @throws 404 */
  onLocked<T>(userId: string, id: string, act: (em: EntityManager, found: ContactImport) => Promise<T>): Promise<T> {
    return inTransaction(this.em, async (em) => act(em, await this.lock(em, userId, id)));
  }
}

/** @throws 409 if the import does not wait for its user */
function requireWaiting({ status, stage }: ContactImport): void {
  if (!['mapping', 'ready'].includes(status) || stage) throw importState();
}

/**
 * Whether lines get other addresses, because another column holds the address, or because the first row becomes a
 * header or a line. Corrections by line would then apply to other addresses.
 */
function readsOtherAddresses(
  { columns, options }: ContactImport,
  { hasHeader }: UpdateImportDto,
  next: readonly ImportColumn[] | null,
): boolean {
  if (hasHeader !== undefined && hasHeader !== (options.hasHeader ?? false)) return true;
  return next !== null && emailColumn(next) !== emailColumn(columns ?? []);
}

const emailColumn = (columns: readonly ImportColumn[]): number => columns.findIndex(({ target }) => target === 'email');

/** The options that a request gives. */
function given({ hasHeader, tags, existing, roles, attestation }: UpdateImportDto): ImportOptions {
  return {
    ...(hasHeader !== undefined && { hasHeader }),
    ...(tags !== undefined && { tags: distinct(tags) }),
    ...(existing !== undefined && { existing }),
    ...(roles !== undefined && { roles }),
    ...(attestation !== undefined && { attestation: attestation?.trim() || null }),
  };
}

/** The names without duplicates, ignoring case. */
const distinct = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [name.trim().toLowerCase(), name.trim()])).values(),
];

const changesVerdicts = ({ sheet, hasHeader, mapping, listId, tags, existing, roles }: UpdateImportDto): boolean =>
  [sheet, hasHeader, mapping, listId, tags, existing, roles].some((part) => part !== undefined);

/** Increases the run, so that a worker that is still writing to the import loses its claim. */
const UPDATE = `
  update contact_imports set email_list_id = case when ? then ?::uuid else email_list_id end, columns = case when ? then null else coalesce(?::jsonb, columns) end,
    options = options || ?::jsonb, status = ?, stage = ?, goal = 'mapping', report = case when ? then report end, subscription_type = ?, lines = greatest(0, lines + ?),
    corrections = case when ? then corrections - 'lines' else corrections end, checkpoint = null, run = run + 1, touched_at = now(), lease_until = null
  where id = ?`;
