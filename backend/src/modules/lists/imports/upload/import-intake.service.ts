import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Readable } from 'node:stream';
import { newId } from '../../../../shared/database/queries/columns.js';
import { inTransaction, rows } from '../../../../shared/database/queries/rows.js';
import { createValidationPipe, readJson, type RequestUser, validationFailed } from '../../../../shared/http/index.js';
import { AuditTrail } from '../../../auth/index.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { ImportContactsDto, type ImportStartedDto, PastedTextDto } from '../direct/import.dto.js';
import { ContactImport } from '../../entities/contact-import.entity.js';
import type { EmailList } from '../../entities/email-list.entity.js';
import { FirstLineWidth, MAX_COLUMNS } from './first-line-width.js';
import { type ImportAllowance, ImportQuota } from '../import-quota.service.js';
import { readUpload, storePiece } from './import-upload.js';
import { fileKindOf } from '../reading/file-kind.js';
import { openSource } from '../reading/open-source.js';
import { RENEW_LEASE } from '../running/claimed-import.js';
import { openStoredFile } from '../running/stored-file.js';
import { ListAccess } from '../../my-lists/list-access.service.js';
import { importEmpty, importTooLarge, importTooWide, importType } from '../../lists.errors.js';
import { contactTypeOf } from '../../list-owners.service.js';

const CHUNK_BYTES = 256 * 1024;
/** Number of first bytes that tell a workbook from a text. */
const HEAD_BYTES = 4;
/** Maximum size of a multipart request; the file in it is limited by the account's allowance. */
const MAX_FORM_BYTES = 101 * 1024 * 1024;
/** Interval at which an upload renews its lease; shorter than the lease. */
const HEARTBEAT_MS = 20_000;
/** Maximum size of a JSON body; larger imports are sent as CSV. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
const MAX_JSON_LINES = 200_000;
const MAX_ATTESTATION = 2000;

interface Started {
  id: string;
  user: RequestUser;
  /** Stores the file chunk by chunk. */
  write: (content: Readable) => Promise<void>;
  isDirect: boolean;
  /** Admin who imports into the default list, for the audit trail. */
  admin: string | null;
}

/**
 * Receives an import's file in any format and stores it in chunks that every worker can read. Never holds a whole file
 * in memory.
 */
@Injectable()
export class ImportIntake {
  private readonly pipe = createValidationPipe();

  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly jobs: JobQueue,
    private readonly audit: AuditTrail,
    private readonly quota: ImportQuota,
  ) {}

  async take(user: RequestUser, listId: string, request: Request): Promise<ImportStartedDto> {
    const list = await this.access.require(user, listId);
    if (request.is('application/json'))
      return this.takeLines(user, list, await readJson(request, MAX_JSON_BYTES, { longList: 'lines' }));
    if (bytesOf(request) > MAX_FORM_BYTES) throw importTooLarge();
    if (request.is('multipart/form-data')) return this.takeForm(user, list, request);
    if (request.is('text/csv') || request.is('text/plain')) return this.takeBody(user, list, request);
    throw importType();
  }

  /** Receives a file or pasted text. The user then chooses the targets of its columns. */
  async receive(user: RequestUser, request: Request): Promise<ImportStartedDto> {
    if (request.is('application/json')) {
      const { text } = (await this.pipe.transform(await readJson(request, MAX_JSON_BYTES), {
        type: 'body',
        metatype: PastedTextDto,
      })) as PastedTextDto;
      const pasted = await this.start(user, null, 'lines');
      return this.finish(pasted, () =>
        pasted.write(Readable.from([Buffer.from(text)])).then(() => ({ attestation: null, fileName: null })),
      );
    }
    if (bytesOf(request) > MAX_FORM_BYTES) throw importTooLarge();
    if (!request.is('multipart/form-data')) throw importType();
    const started = await this.start(user, null, 'csv', bytesOf(request));
    return this.finish(started, async () => ({
      attestation: null,
      fileName: (await readUpload(request, started.write, MAX_FORM_BYTES)).fileName || null,
    }));
  }

  private async takeLines(user: RequestUser, list: EmailList, body: unknown): Promise<ImportStartedDto> {
    const lines = textsOf(body);
    // Validates only the first line here, because the validation would copy and check each element. `textsOf` has
    // checked all lines.
    const { attestation } = (await this.pipe.transform(
      { ...(body as object), lines: lines.slice(0, 1) },
      { type: 'body', metatype: ImportContactsDto },
    )) as ImportContactsDto;
    if (!lines.some((line) => line.trim())) throw importEmpty();
    const started = await this.start(user, list, 'lines');
    // Replaces line breaks inside an element of `lines`, so that line numbers match the request.
    const text = lines.map((line) => line.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')).join('\n');
    return this.finish(started, () =>
      started
        .write(Readable.from([Buffer.from(text)]))
        .then(() => ({ attestation: attestation ?? null, fileName: null })),
    );
  }

  private async takeBody(user: RequestUser, list: EmailList, request: Request): Promise<ImportStartedDto> {
    const started = await this.start(user, list, 'csv', bytesOf(request));
    return this.finish(started, async () => {
      await started.write(request);
      return { attestation: headerText(request.get('x-import-attestation')), fileName: null };
    });
  }

  private async takeForm(user: RequestUser, list: EmailList, request: Request): Promise<ImportStartedDto> {
    const started = await this.start(user, list, 'csv', bytesOf(request));
    return this.finish(started, async () => {
      const { attestation, fileName } = await readUpload(request, started.write, MAX_FORM_BYTES);
      return {
        attestation: attestation ?? headerText(request.get('x-import-attestation')),
        fileName: fileName || null,
      };
    });
  }

  /**
   * Creates the import's row before its first chunk; workers ignore it until the upload is complete.
   * @throws if the account's allowance is used up, before anything is stored
   */
  private async start(
    user: RequestUser,
    list: EmailList | null,
    format: ContactImport['format'],
    announced = 0,
  ): Promise<Started> {
    const id = newId();
    const allowance = await inTransaction(this.em, async (em) => {
      const allowed = await this.quota.open(em, user, announced);
      await em.insert(ContactImport, {
        id,
        emailListId: list?.id ?? null,
        isDirect: list !== null,
        goal: list ? 'done' : 'mapping',
        userId: user.id,
        status: 'uploading',
        format,
        subscriptionType: contactTypeOf(user.role),
      });
      await rows(em, RENEW, [id]);
      return allowed;
    });
    return {
      id,
      user,
      write: (content) => this.store(id, content, user, allowance, format === 'csv' && list !== null),
      isDirect: list !== null,
      admin: list?.isDefault ? user.id : null,
    };
  }

  private async finish(
    { id, user, isDirect, admin }: Started,
    receive: () => Promise<{ attestation: string | null; fileName: string | null }>,
  ): Promise<ImportStartedDto> {
    const heartbeat = setInterval(() => void rows(this.em.fork(), RENEW, [id]).catch(() => undefined), HEARTBEAT_MS);
    try {
      const { attestation: given, fileName } = await receive();
      const attestation = given?.trim().slice(0, MAX_ATTESTATION) || null;
      await this.refuseUnreadable(id, isDirect);
      await inTransaction(this.em, async (em) => {
        const [stored] = await rows<{ bytes_total: number }>(
          em,
          `update contact_imports set status = ?, stage = 'read', file_name = ?, attestation = ?, attestation_state = ?, lease_until = null, touched_at = now()
           where id = ? and status = 'uploading' and bytes_total > 0 returning bytes_total`,
          [isDirect ? 'queued' : 'reading', fileName, attestation, attestation && 'waiting', id],
        );
        if (!stored) throw importEmpty();
        await this.quota.charge(em, user, stored.bytes_total);
        if (admin)
          await this.audit.recordAction(
            em,
            { id: admin, client: null },
            { kind: 'network.imported', detail: `${stored.bytes_total} bytes` },
          );
      });
    } catch (error) {
      await rows(this.em.fork(), `delete from contact_imports where id = ? and status = 'uploading'`, [id]);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
    await this.jobs.enqueue('imports', { importId: id }, { jobId: id });
    return { id };
  }

  /**
   * Refuses a file whose beginning cannot be read; damage further on fails the import later.
   * @throws 400 file_type, file_too_large
   */
  private async refuseUnreadable(id: string, isDirect: boolean): Promise<void> {
    const stored = await openStoredFile(this.em.fork(), id);
    if (!stored) throw importEmpty();
    const source = await openSource(stored, isDirect ? { limits: { columns: MAX_COLUMNS } } : {});
    await source.close();
  }

  private async store(
    id: string,
    content: Readable,
    user: RequestUser,
    allowance: ImportAllowance,
    isWidthLimited: boolean,
  ): Promise<void> {
    let width: FirstLineWidth | null = isWidthLimited ? new FirstLineWidth() : null;
    let position = 0;
    let total = 0;
    let lines = 0;
    let isWorkbook = false;
    let pieces: Buffer[] = [];
    let size = 0;
    const flush = async () => {
      if (size === 0) return;
      await storePiece(this.em, id, position++, Buffer.concat(pieces));
      pieces = [];
      size = 0;
    };
    // The stream is not destroyed on refusal, because the response is sent on the same connection.
    for await (const piece of withWholeHead(content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)) {
      // A workbook has no lines; its rows are counted when it is read.
      if (total === 0) isWorkbook = fileKindOf(piece.subarray(0, HEAD_BYTES)) === 'zip';
      if (isWorkbook) width = null;
      total += piece.length;
      if (total > allowance.bytes) throw this.quota.tooLarge(user, allowance);
      if (width && !(await width.take(piece))) throw importTooWide(MAX_COLUMNS);
      if (!isWorkbook) lines += lineEnds(piece);
      if (lines > allowance.lines) throw this.quota.tooManyLines(user);
      pieces.push(piece);
      size += piece.length;
      if (size >= CHUNK_BYTES) await flush();
    }
    if (width && !(await width.end())) throw importTooWide(MAX_COLUMNS);
    await flush();
    await rows(this.em, 'update contact_imports set bytes_total = ? where id = ?', [total, id]);
  }
}

const RENEW = `update contact_imports set ${RENEW_LEASE} where id = ? and status = 'uploading'`;

const bytesOf = (request: Request): number => Number(request.headers['content-length'] ?? 0);

/** The pieces of a file, joined so that the first one is long enough to detect the kind of the file. */
async function* withWholeHead(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (head) head = Buffer.concat([head, piece]);
    if (head && head.length < HEAD_BYTES) continue;
    yield head ?? piece;
    head = null;
  }
  if (head && head.length > 0) yield head;
}

/** Number of line ends in a chunk, whatever their kind. */
function lineEnds(piece: Buffer): number {
  let [feeds, returns] = [0, 0];
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) feeds += 1;
  for (let at = piece.indexOf(13); at >= 0; at = piece.indexOf(13, at + 1)) returns += 1;
  return Math.max(feeds, returns);
}

/** Reads the lines of a request's body. @throws 400 if the body is not a list of texts, or the list is too long */
function textsOf(body: unknown): string[] {
  const { lines } = (body ?? {}) as { lines?: unknown };
  const message = !Array.isArray(lines)
    ? 'Please send the lines as a list of texts'
    : lines.length > MAX_JSON_LINES
      ? `At most ${MAX_JSON_LINES} lines fit into one request; send more as a CSV file`
      : lines.some((line) => typeof line !== 'string' || line.includes('\0'))
        ? 'Each line must be text'
        : null;
  if (message) throw validationFailed([{ field: 'lines', message }]);
  return lines as string[];
}

/** Reads an attestation from a header, which is percent-encoded if it is not ASCII. */
function headerText(value: string | undefined): string | null {
  if (!value) return null;
  try {
    return decodeURIComponent(value).replace(/\p{Cc}/gu, ' ');
  } catch {
    return value;
  }
}
