import type { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../../shared/config/settings.js';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { FileStorage, filesUnavailable } from '../../../../shared/storage/file-storage.js';
import { isTokenShaped } from '../../../../shared/tokens/tokens.js';
import { fileGone, fileLinkRevoked, fileNotReady, unknownFileLink } from '../../composing.errors.js';
import type { LinkDays } from './file-link.entity.js';
import { fileStateOf, type FileStateFacts, STATE_COLUMNS } from '../file-state.js';
import { isAutomatedClient } from './automated-clients.js';
import type { FileType } from '../stored-file.entity.js';
import { VirusScanner } from '../scans/virus-scanner.js';

/** The link to a user's file in one send. */
export interface StoredLink {
  id: string;
  sendId: string;
  subject: string;
  sentAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  downloads: number;
  automated: number;
  lastDownloadAt: Date | null;
}

/** A file as the readers of its link get it. */
export interface SharedFile {
  linkId: string;
  fileId: string;
  name: string;
  mediaType: FileType;
  byteSize: number;
  storageKey: string;
  senderName: string;
  senderAgency: string | null;
  expiresAt: Date;
}

interface FoundLink extends SharedFile, FileStateFacts {
  senderEmail: string | null;
  isClosed: boolean;
  isStopped: boolean;
}

const MAX_LISTED_LINKS = 100;
const COLUMNS = `l.id, l.history_id as "sendId", h.subject, h.sent_at as "sentAt", l.expires_at as "expiresAt", l.revoked_at as "revokedAt",
  l.downloads, l.automated, l.last_download_at as "lastDownloadAt"`;
const FROM = `file_links l join email_history h on h.id = l.history_id`;

/** Links to files: lists, extends and revokes them for their owners, and resolves them for readers. */
@Injectable()
export class FileLinks {
  private readonly log = new Logger(FileLinks.name);

  constructor(
    private readonly em: EntityManager,
    private readonly storage: FileStorage,
    private readonly scanner: VirusScanner,
    private readonly settings: Settings,
  ) {}

  /** The links of a user's file in sent emails, the latest first; at most 100. */
  of(userId: string, fileId: string): Promise<StoredLink[]> {
    return rows<StoredLink>(
      this.em.fork(),
      `select ${COLUMNS} from ${FROM} where l.file_id = ? and l.user_id = ? order by l.created_at desc, l.id limit ${MAX_LISTED_LINKS}`,
      [fileId, userId],
    );
  }

  /**
   * Extends a link to at least this many days from now.
   * @throws 404, 410 for a revoked link
   */
  async extend(userId: string, id: string, days: LinkDays): Promise<StoredLink> {
    const count = await changed(
      this.em.fork(),
      `update file_links set expires_at = greatest(expires_at, now() + make_interval(days => ?::int))
       where id = ? and user_id = ? and history_id is not null and revoked_at is null`,
      [days, id, userId],
    );
    const link = await this.one(userId, id);
    if (count === 0) throw fileLinkRevoked();
    return link;
  }

  /**
   * Revokes a link for good.
   * @throws 404
   */
  async revoke(userId: string, id: string): Promise<StoredLink> {
    await changed(
      this.em.fork(),
      `update file_links set revoked_at = coalesce(revoked_at, now()) where id = ? and user_id = ? and history_id is not null`,
      [id, userId],
    );
    return this.one(userId, id);
  }

  /**
   * The file of a link, without counting a download.
   * @throws 404 for an unknown token, 409 while the file is being checked, 410 if it is no longer available
   */
  async shared(token: string): Promise<SharedFile> {
    const { senderEmail, isClosed, isStopped, ...link } = await this.find(token);
    if (isClosed) throw fileGone(null);
    const state = fileStateOf(link, this.scanner.isOn);
    const sender = senderEmail === null ? null : { senderName: link.senderName, senderEmail };
    if (isStopped || state === 'gone' || state === 'refused') throw fileGone(sender);
    if (state === 'checking') throw fileNotReady();
    return link;
  }

  /**
   * The bytes of a file, counted as one download. The download counts as automated if it comes shortly after the send
   * or the user agent is a program. Nothing else about the reader is stored. A download that the storage cuts off is
   * not counted, because its reader tries again.
   * @throws as `shared`, and 503 if the storage does not answer
   */
  async download(token: string, userAgent: string | null): Promise<{ file: SharedFile; content: Readable }> {
    const { file, content } = await this.opened(token);
    const isProgram = isAutomatedClient(userAgent);
    const [counted] = await rows<{ isAutomated: boolean }>(
      this.em.fork(),
      `with kind as (select id, ?::boolean or created_at > now() - make_interval(secs => ?) as is_automated from file_links where id = ?)
       update file_links l set last_download_at = now(), automated = automated + kind.is_automated::int, downloads = downloads + (not kind.is_automated)::int
       from kind where l.id = kind.id and l.revoked_at is null and l.expires_at > now() returning kind.is_automated as "isAutomated"`,
      [isProgram, this.settings.linkGuardSeconds, file.linkId],
    ).catch((error: unknown) => {
      content.destroy();
      throw error;
    });
    if (!counted) {
      content.destroy();
      // The link was revoked meanwhile. `shared` throws an error that names the sender.
      await this.shared(token);
      throw fileGone(null);
    }
    const uncount = (): Promise<void> => this.uncount(file.linkId, counted.isAutomated);
    if (content.errored) {
      await uncount();
      throw filesUnavailable();
    }
    content.once('error', () => void uncount());
    await changed(
      this.em.fork(),
      `update files set used_at = now() where id = ? and used_at < now() - interval '1 day'`,
      [file.fileId],
    );
    return { file, content };
  }

  /** Takes back the count of a download that the storage cut off. Never throws. */
  private async uncount(linkId: string, isAutomated: boolean): Promise<void> {
    const column = isAutomated ? 'automated' : 'downloads';
    await changed(this.em.fork(), `update file_links set ${column} = greatest(${column} - 1, 0) where id = ?`, [
      linkId,
    ]).catch((error: unknown) =>
      this.log.warn({ err: error, linkId, code: 'download_not_uncounted' }, 'a download that was cut off is counted'),
    );
  }

  /**
   * Counts a report of the file that the link leads to at this moment. A single statement does this, so that a concurrent
   * replacement either comes first or is refused. A deleted file cannot be reported. The reader who reported the file is
   * not stored.
   * @throws 404
   */
  async report(token: string): Promise<void> {
    if (!isTokenShaped(token)) throw unknownFileLink();
    const reported = await changed(
      this.em.fork(),
      `update files f set reports = f.reports + 1, reported_at = now() from file_links l where l.token = ? and f.id = l.file_id and f.deleted_at is null`,
      [token],
    );
    if (reported === 0) await this.find(token);
  }

  /**
   * A file with its bytes. If the bytes are missing, looks the file up once more, because it may have been deleted or
   * replaced in between.
   * @throws as `shared`, and 503 if the bytes are missing or the storage does not answer
   */
  private async opened(token: string): Promise<{ file: SharedFile; content: Readable }> {
    for (let looks = 0; looks < 2; looks++) {
      const file = await this.shared(token);
      const content = await this.storage.stream(file.storageKey);
      if (content) return { file, content };
    }
    throw filesUnavailable();
  }

  private async find(token: string): Promise<FoundLink> {
    if (!isTokenShaped(token)) throw unknownFileLink();
    const [found] = await rows<FoundLink>(
      this.em.fork(),
      `select l.id as "linkId", l.file_id as "fileId", f.name, f.media_type as "mediaType", f.byte_size as "byteSize", f.storage_key as "storageKey",
         concat_ws(' ', u.first_name, u.last_name) as "senderName", u.agency_name as "senderAgency", u.email as "senderEmail",
         l.expires_at as "expiresAt", l.revoked_at is not null or l.expires_at <= now() as "isStopped",
         u.suspended_at is not null or u.deleted_at is not null as "isClosed", ${STATE_COLUMNS}
       from file_links l join files f on f.id = l.file_id join users u on u.id = l.user_id where l.token = ?`,
      [token],
    );
    if (!found) throw unknownFileLink();
    return found;
  }

  private async one(userId: string, id: string): Promise<StoredLink> {
    const [found] = await rows<StoredLink>(
      this.em.fork(),
      `select ${COLUMNS} from ${FROM} where l.id = ? and l.user_id = ?`,
      [id, userId],
    );
    if (!found) throw unknownFileLink();
    return found;
  }
}
