import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Readable } from 'node:stream';
import { newId } from '../../shared/database/columns.js';
import { rows } from '../../shared/database/rows.js';
import { createValidationPipe, readJson, type RequestUser, validationFailed } from '../../shared/http/index.js';
import { AuditTrail } from '../auth/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { ImportContactsDto, type ImportStartedDto } from './dto/import.dto.js';
import { ContactImport } from './entities/contact-import.entity.js';
import type { EmailList } from './entities/email-list.entity.js';
import { FirstLineWidth, MAX_COLUMNS } from './first-line-width.js';
import { type ImportAllowance, ImportQuota } from './import-quota.service.js';
import { readUpload } from './import-upload.js';
import { ListAccess } from './list-access.service.js';
import { importEmpty, importTooLarge, importTooWide, importType } from './lists.errors.js';
import { contactTypeOf } from './owners.service.js';
import { storePiece } from './upload-pieces.js';

const CHUNK_BYTES = 256 * 1024;
/** A form may hold this much, its other parts included; how much of it the file may be is the account's allowance. */
const MAX_FORM_BYTES = 101 * 1024 * 1024;
/** While a file comes in, its row is renewed this often; the lease is longer. */
const HEARTBEAT_MS = 20_000;
/** Larger ones go as CSV. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
const MAX_JSON_LINES = 200_000;
const MAX_ATTESTATION = 2000;

interface Started {
  id: string;
  user: RequestUser;
  /** Writes the file, piece by piece. */
  write: (content: Readable) => Promise<void>;
  /** Who imports into the default list: that stands in the audit trail. */
  admin: string | null;
}

/** Takes an import's file in, however it comes, in pieces that any worker can read: never whole in memory. */
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
    if (request.is('application/json')) return this.takeLines(user, list, await readJson(request, MAX_JSON_BYTES, 'lines'));
    if (bytesOf(request) > MAX_FORM_BYTES) throw importTooLarge();
    if (request.is('multipart/form-data')) return this.takeForm(user, list, request);
    if (request.is('text/csv') || request.is('text/plain')) return this.takeBody(user, list, request);
    throw importType();
  }

  private async takeLines(user: RequestUser, list: EmailList, body: unknown): Promise<ImportStartedDto> {
    const lines = textsOf(body);
    // The validation copies and checks each element by itself: of the lines, which are checked, it sees the first only.
    const { attestation } = (await this.pipe.transform({ ...(body as object), lines: lines.slice(0, 1) }, { type: 'body', metatype: ImportContactsDto })) as ImportContactsDto;
    if (!lines.some((line) => line.trim())) throw importEmpty();
    const started = await this.start(user, list, 'lines');
    // A line stays one line, so that its number is its place in the request.
    const text = lines.map((line) => line.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')).join('\n');
    return this.finish(started, () => started.write(Readable.from([Buffer.from(text)])).then(() => attestation ?? null));
  }

  private async takeBody(user: RequestUser, list: EmailList, request: Request): Promise<ImportStartedDto> {
    const started = await this.start(user, list, 'csv', bytesOf(request));
    return this.finish(started, async () => {
      await started.write(request);
      return headerText(request.get('x-import-attestation'));
    });
  }

  private async takeForm(user: RequestUser, list: EmailList, request: Request): Promise<ImportStartedDto> {
    const started = await this.start(user, list, 'csv', bytesOf(request));
    return this.finish(started, async () => (await readUpload(request, started.write, MAX_FORM_BYTES)).attestation ?? headerText(request.get('x-import-attestation')));
  }

  /**
   * The row stands before the first piece; until the last one is in, no worker touches it.
   * @throws before anything is stored where the account has used up what it may import
   */
  private async start(user: RequestUser, list: EmailList, format: ContactImport['format'], announced = 0): Promise<Started> {
    const id = newId();
    const allowance = await this.em.fork().transactional(async (em) => {
      const allowed = await this.quota.open(em, user, announced);
      await em.insert(ContactImport, { id, emailListId: list.id, userId: user.id, status: 'uploading', format, subscriptionType: contactTypeOf(user.role) });
      await rows(em, RENEW, [id]);
      return allowed;
    });
    const width = format === 'csv' ? new FirstLineWidth() : null;
    return { id, user, write: (content) => this.store(id, content, user, allowance, width), admin: list.isDefault ? user.id : null };
  }

  private async finish({ id, user, admin }: Started, receive: () => Promise<string | null>): Promise<ImportStartedDto> {
    const heartbeat = setInterval(() => void rows(this.em.fork(), RENEW, [id]).catch(() => undefined), HEARTBEAT_MS);
    try {
      const attestation = (await receive())?.trim().slice(0, MAX_ATTESTATION) || null;
      await this.em.transactional(async (em) => {
        const [stored] = await rows<{ bytes_total: number }>(
          em,
          `update contact_imports set status = 'queued', attestation = ?, attestation_state = ?, lease_until = null where id = ? and status = 'uploading' and bytes_total > 0 returning bytes_total`,
          [attestation, attestation && 'waiting', id],
        );
        if (!stored) throw importEmpty();
        await this.quota.charge(em, user, stored.bytes_total);
        if (admin) await this.audit.recordAct(em, { id: admin, client: null }, { kind: 'network.imported', detail: `${stored.bytes_total} bytes` });
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

  private async store(id: string, content: Readable, user: RequestUser, allowance: ImportAllowance, width: FirstLineWidth | null): Promise<void> {
    let position = 0;
    let total = 0;
    let lines = 0;
    let pieces: Buffer[] = [];
    let size = 0;
    const flush = async () => {
      if (size === 0) return;
      await storePiece(this.em, id, position++, Buffer.concat(pieces));
      pieces = [];
      size = 0;
    };
    // Not destroyed where it is refused: the answer goes out on the connection that it came by.
    for await (const piece of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += piece.length;
      if (total > allowance.bytes) throw this.quota.tooLarge(user, allowance);
      if (width?.take(piece) === false) throw importTooWide(MAX_COLUMNS);
      lines += lineEnds(piece);
      if (lines > allowance.lines) throw this.quota.tooManyLines(user);
      pieces.push(piece);
      size += piece.length;
      if (size >= CHUNK_BYTES) await flush();
    }
    await flush();
    await rows(this.em, 'update contact_imports set bytes_total = ? where id = ?', [total, id]);
  }
}

const RENEW = `update contact_imports set lease_until = now() + interval '60 seconds' where id = ? and status = 'uploading'`;

const bytesOf = (request: Request): number => Number(request.headers['content-length'] ?? 0);

/** Lines that end in a piece, whichever kind of line end the file has. */
function lineEnds(piece: Buffer): number {
  let [feeds, returns] = [0, 0];
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) feeds += 1;
  for (let at = piece.indexOf(13); at >= 0; at = piece.indexOf(13, at + 1)) returns += 1;
  return Math.max(feeds, returns);
}

/** @throws 400 where the body has no list of texts, or too long a one */
function textsOf(body: unknown): string[] {
  const { lines } = (body ?? {}) as { lines?: unknown };
  const message = !Array.isArray(lines) ? 'Please send the lines as a list of texts'
    : lines.length > MAX_JSON_LINES ? `At most ${MAX_JSON_LINES} lines fit into one request; send more as a CSV file`
    : lines.some((line) => typeof line !== 'string' || line.includes('\0')) ? 'Each line must be text' : null;
  if (message) throw validationFailed([{ field: 'lines', message }]);
  return lines as string[];
}

/** An attestation in a header: percent-encoded where it is not ASCII. */
function headerText(value: string | undefined): string | null {
  if (!value) return null;
  try {
    return decodeURIComponent(value).replace(/\p{Cc}/gu, ' ');
  } catch {
    return value;
  }
}
