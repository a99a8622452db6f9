import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { contains, Keyset, type SortKey } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { rows } from '../../../shared/database/queries/rows.js';
import type { Page } from '../../../shared/http/index.js';
import { unknownFile } from '../composing.errors.js';
import { Pictures } from '../pictures/pictures.service.js';
import type { FileDto, FileQuery } from './file.dto.js';
import { fileStateOf, type FileStateFacts, STATE_COLUMNS } from './file-state.js';
import type { FileKind, PictureType } from './stored-file.entity.js';
import { VirusScanner } from './scans/virus-scanner.js';

const SORTS: Record<string, SortKey> = {
  createdAt: { expression: 'f.created_at', type: 'timestamptz' },
  name: { expression: 'lower(f.name)', type: 'text' },
};
/**
 * SQL join: the number of sent emails that use a file, the downloads through their links, and when the last working
 * link expires.
 */
const USES = `left join lateral (
    select count(*)::int + (select count(*)::int from send_attachments a where a.file_id = f.id
        and not exists (select 1 from file_links o where o.file_id = f.id and o.history_id = a.history_id)) as sends, coalesce(sum(l.downloads), 0)::int as downloads, coalesce(sum(l.automated), 0)::int as automated,
      max(l.expires_at) filter (where l.revoked_at is null and l.expires_at > now()) as expires_at
    from file_links l where l.file_id = f.id and l.history_id is not null
  ) links on f.kind = 'document'
  left join lateral (select count(*)::int as sends from sent_pictures s where s.file_id = f.id) shown on f.kind = 'image'`;
const COLUMNS = `f.id, f.kind, f.name, f.media_type as "mediaType", f.byte_size as "byteSize", f.width, f.height, f.public_token as "publicToken",
  f.created_at as "createdAt", ${STATE_COLUMNS}, coalesce(links.sends, shown.sends, 0) as "usedIn", coalesce(links.downloads, 0) as downloads,
  coalesce(links.automated, 0) as automated, links.expires_at as "expiresAt"`;
/** SQL condition: a file of the user whose upload was completed and that was not deleted. */
const PRESENT = `f.user_id = ? and f.deleted_at is null and f.stored_at is not null`;

interface FileRow extends FileStateFacts {
  id: string;
  kind: FileKind;
  name: string;
  mediaType: FileDto['mediaType'];
  byteSize: number;
  width: number | null;
  height: number | null;
  publicToken: string | null;
  createdAt: Date;
  usedIn: number;
  downloads: number;
  automated: number;
  expiresAt: Date | null;
}

@Injectable()
export class FileLibrary {
  constructor(
    private readonly em: EntityManager,
    private readonly scanner: VirusScanner,
    private readonly pictures: Pictures,
  ) {}

  /** A page of the user's files, latest first by default. */
  async page(
    userId: string,
    { limit, kind, search, sort = '-createdAt', cursor }: FileQuery & { limit: number },
  ): Promise<Page<FileDto>> {
    const text = search?.trim();
    const found = await readPage<FileRow>(this.em.fork(), new Keyset(SORTS, sort, cursor, 'f.id'), limit, {
      columns: COLUMNS,
      from: `files f ${USES}`,
      countFrom: 'files f',
      where: allOf([[PRESENT, userId], kind && ['f.kind = ?', kind], text && ['f.name ilike ?', contains(text)]]),
    });
    return { ...found, rows: found.rows.map((row) => this.toDto(row)) };
  }

  /** @throws 404 */
  async one(userId: string, id: string): Promise<FileDto> {
    const [found] = await rows<FileRow>(
      this.em.fork(),
      `select ${COLUMNS} from files f ${USES} where f.id = ? and ${PRESENT}`,
      [id, userId],
    );
    if (!found) throw unknownFile();
    return this.toDto(found);
  }

  private toDto(row: FileRow): FileDto {
    const { id, kind, name, mediaType, byteSize, width, height, publicToken, usedIn, downloads, automated } = row;
    return {
      id,
      kind,
      name,
      mediaType,
      byteSize,
      width,
      height,
      url: publicToken ? this.pictures.urlOf({ publicToken, mediaType: mediaType as PictureType }) : null,
      state: kind === 'image' ? 'ready' : fileStateOf(row, this.scanner.isOn),
      usedIn,
      downloads,
      automated,
      expiresAt: row.expiresAt ? new Date(row.expiresAt).toISOString() : null,
      createdAt: new Date(row.createdAt).toISOString(),
    };
  }
}
