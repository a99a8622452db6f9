import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { FileStorage } from '../../shared/storage/file-storage.js';
import { Settings } from '../../shared/config/settings.js';
import { type ExportCell, exportedCells, type ExportedFile, ExportParts } from '../../shared/personal-data.js';
import { isoTimeSql } from '../../shared/text/formats.js';

/** Rows per query; a row may hold 1 MB. */
const PAGE_ROWS = 10;

/** Adds drafts, templates, uploaded pictures, the sender profile and testers to the account's data export. */
@Injectable()
export class ComposingExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
    private readonly settings: Settings,
    private readonly storage: FileStorage,
  ) {}

  onModuleInit(): void {
    this.parts.addFolder({ folder: 'files', files: (userId) => this.storedFiles(userId) });
    this.parts.add(
      {
        file: 'drafts.csv',
        header: [
          'id',
          'begun',
          'saved',
          'type',
          'list ids',
          'subject',
          'preview line',
          'content',
          'document',
          'job',
          'files',
        ],
        rows: (userId) =>
          this.paged(
            `select id, array[id::text, ${isoTimeSql('created_at')}, ${isoTimeSql('updated_at')}, email_type, list_ids::text, subject, preheader, content, document::text, job::text, files::text] as cells
             from email_drafts where user_id = ?::uuid and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            userId,
          ),
      },
      {
        file: 'templates.csv',
        header: ['id', 'name', 'type', 'subject', 'used', 'last used', 'made', 'changed', 'document'],
        rows: (userId) =>
          this.paged(
            `select id, array[id::text, name, email_type, subject, use_count::text, ${isoTimeSql('used_at')}, ${isoTimeSql('created_at')}, ${isoTimeSql('updated_at')}, document::text] as cells
             from email_templates where owner_id = ?::uuid and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            userId,
          ),
      },
      {
        file: 'sender-profile.csv',
        header: [
          'saved',
          'title',
          'phone',
          'website',
          'profile',
          'address',
          'second line',
          'city',
          'region',
          'postal code',
          'country',
          'logo',
          'colour',
          'shows logo',
          'signature',
          'closing line',
        ],
        rows: (userId) =>
          this.paged(
            `select user_id as id, array[${isoTimeSql('updated_at')}, title, phone, website, profile_url, address_line1, address_line2, city, region, postal_code, country, logo_file_id::text, accent, show_logo::text, signature::text, footer::text] as cells
             from sender_profiles where user_id = ?::uuid and user_id > ?::uuid limit ${PAGE_ROWS}`,
            userId,
          ),
      },
      {
        file: 'pictures.csv',
        header: ['id', 'name', 'type', 'bytes', 'width', 'height', 'uploaded', 'address'],
        rows: (userId) =>
          this.paged(
            `select id, array[id::text, name, media_type, byte_size::text, width::text, height::text, ${isoTimeSql('created_at')}, ? || public_token || case media_type when 'image/png' then '.png' else '.jpg' end] as cells
             from files where user_id = ?::uuid and kind = 'image' and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            `${this.settings.appUrl}/media/`,
            userId,
          ),
      },
      {
        file: 'files.csv',
        header: ['id', 'name', 'type', 'bytes', 'uploaded', 'virus scan', 'scanned', 'used last'],
        rows: (userId) =>
          this.paged(
            `select id, array[id::text, name, media_type, byte_size::text, ${isoTimeSql('created_at')}, scan, ${isoTimeSql('scanned_at')}, ${isoTimeSql('used_at')}] as cells
             from files where user_id = ?::uuid and kind = 'document' and deleted_at is null and stored_at is not null and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            userId,
          ),
      },
      {
        file: 'file-links.csv',
        header: [
          'id',
          'file id',
          'send id',
          'made',
          'works until',
          'stopped',
          'downloads',
          'automatic downloads',
          'last download',
        ],
        rows: (userId) =>
          this.paged(
            `select id, array[id::text, file_id::text, history_id::text, ${isoTimeSql('created_at')}, ${isoTimeSql('expires_at')}, ${isoTimeSql('revoked_at')}, downloads::text, automated::text, ${isoTimeSql('last_download_at')}] as cells
             from file_links where user_id = ?::uuid and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            userId,
          ),
      },
      {
        file: 'attachments.csv',
        header: ['send id', 'file id', 'name', 'media type', 'bytes'],
        rows: (userId) =>
          this.paged(
            `select a.history_id as id, array[a.history_id::text, a.file_id::text, a.name, a.media_type, a.byte_size::text] as cells
             from (select h.id from email_history h where h.user_id = ?::uuid and h.attached and h.id > ?::uuid order by h.id limit ${PAGE_ROWS}) sends
             join send_attachments a on a.history_id = sends.id order by a.history_id, a.position`,
            userId,
          ),
      },
      {
        file: 'testers.csv',
        header: ['id', 'address', 'added', 'asked', 'confirmed'],
        rows: (userId) =>
          this.paged(
            `select id, array[id::text, address, ${isoTimeSql('created_at')}, ${isoTimeSql('asked_at')}, ${isoTimeSql('confirmed_at')}] as cells
             from testers where user_id = ?::uuid and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            userId,
          ),
      },
    );
  }

  /** Adds ids to the names of the exported files, because two files may have the same name. */
  private async storedFiles(userId: string): Promise<ExportedFile[]> {
    const found = await rows<{ id: string; name: string; storageKey: string }>(
      this.em.fork(),
      `select id, name, storage_key as "storageKey" from files
       where user_id = ? and kind = 'document' and deleted_at is null and stored_at is not null and scan <> 'infected' order by id`,
      [userId],
    );
    return found.map(({ id, name, storageKey }) => ({
      name: `${id}-${name.replace(/[/\\:]/g, '_')}`,
      open: () => this.storage.stream(storageKey),
    }));
  }

  private paged(sql: string, ...params: unknown[]): AsyncGenerator<ExportCell[]> {
    return exportedCells(this.em, { sql, params }, { limit: PAGE_ROWS });
  }
}
