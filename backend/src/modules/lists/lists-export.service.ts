import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '../../shared/text/formats.js';
import { rows } from '../../shared/database/queries/rows.js';
import { type ExportCell, exportedCells, ExportParts } from '../../shared/personal-data.js';

const PAGE_ROWS = 1000;

/** Adds lists, contacts, imports and suppressions to the account's data export. */
@Injectable()
export class ListsExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add(
      {
        file: 'lists.csv',
        header: ['id', 'name', 'slug', 'description', 'agency', 'logo', 'owner name', 'contacts', 'created', 'changed'],
        rows: (userId) => this.lists(userId),
      },
      {
        file: 'contacts.csv',
        header: [
          'list',
          'email',
          'name',
          'type',
          'confirmed',
          'suppressed',
          'source',
          'added',
          'confirmed at',
          'unsubscribed at',
          'further columns',
          'first name',
          'last name',
        ],
        rows: (userId) => this.contacts(userId),
      },
      {
        file: 'imports.csv',
        header: [
          'id',
          'file',
          'list',
          'state',
          'begun',
          'ended',
          'lines',
          'new',
          'changed',
          'as before',
          'left out',
          'columns',
          'statement',
        ],
        rows: (userId) => this.imports(userId),
      },
      {
        file: 'imports-left-out.csv',
        header: ['import', 'line', 'email', 'reason', 'row'],
        rows: (userId) => this.leftOut(userId),
      },
      {
        file: 'import-columns.csv',
        header: ['heading', 'goes to', 'last used'],
        rows: (userId) => this.mappings(userId),
      },
      {
        file: 'suppressions.csv',
        header: ['email', 'reason', 'since', 'until'],
        rows: (userId) => this.suppressions(userId),
      },
    );
  }

  private lists(userId: string): AsyncGenerator<ExportCell[]> {
    return this.paged(
      `select id, array[id::text, name, slug, description, agency_name, agency_logo, owner_name, contact_count::text, ${isoTimeSql('created_at')}, ${isoTimeSql('updated_at')}] as cells
       from email_lists where owner_id = ?::uuid and deleted_at is null and id > ?::uuid order by id limit ${PAGE_ROWS}`,
      [userId],
    );
  }

  /** Reads one list at a time, so that each page is a range scan of one index. */
  private async *contacts(userId: string): AsyncGenerator<ExportCell[]> {
    for (const { id } of await rows<{ id: string }>(
      this.em.fork(),
      `select id from email_lists where owner_id = ? and deleted_at is null order by id`,
      [userId],
    )) {
      yield* this.paged(
        `select c.id, array[l.name, c.email, c.name, c.subscription_type, c.confirmed::text, c.suppressed, c.source, ${isoTimeSql('c.created_at')}, ${isoTimeSql('c.confirmed_at')},
           ${isoTimeSql('c.unsubscribed_at')}, c.attributes::text, c.first_name, c.last_name] as cells
         from subscriptions c join email_lists l on l.id = c.email_list_id
         where c.email_list_id = ?::uuid and (c.created_at, c.id) > (select coalesce((select created_at from subscriptions where id = ?::uuid), '-infinity'), ?::uuid)
         order by c.created_at, c.id limit ${PAGE_ROWS}`,
        [id],
        2,
      );
    }
  }

  private imports(userId: string): AsyncGenerator<ExportCell[]> {
    return this.paged(
      `select i.id, array[i.id::text, i.file_name, l.name, i.status, ${isoTimeSql('i.created_at')}, ${isoTimeSql('i.finished_at')},
         greatest(i.lines, i.total)::text, case when i.committed_at is null then i.added else i.created end::text, i.updated::text, i.unchanged::text, i.skipped::text,
         (select string_agg(c.value ->> 'header' || ': ' || (c.value ->> 'target'), ', ' order by c.place)
          from jsonb_array_elements(case when jsonb_typeof(i.columns) = 'array' then i.columns else '[]' end) with ordinality as c(value, place)), i.attestation] as cells
       from contact_imports i left join email_lists l on l.id = i.email_list_id and l.deleted_at is null
       where i.user_id = ?::uuid and i.status <> 'uploading' and i.id > ?::uuid order by i.id limit ${PAGE_ROWS}`,
      [userId],
    );
  }

  private async *leftOut(userId: string): AsyncGenerator<ExportCell[]> {
    const found = await rows<{ id: string }>(
      this.em.fork(),
      `select id from contact_imports where user_id = ? order by id`,
      [userId],
    );
    for (const { id } of found)
      for (let last = 0; ;) {
        const lines = await rows<{ line: number; cells: ExportCell[] }>(
          this.em.fork(),
          `select line, array[import_id::text, line::text, email, reason, cells::text] as cells from contact_import_rejects
           where import_id = ? and line > ? order by line limit ${PAGE_ROWS}`,
          [id, last],
        );
        for (const { cells } of lines) yield cells;
        if (lines.length < PAGE_ROWS) break;
        last = lines.at(-1)!.line;
      }
  }

  /** Remembered column mappings, at most 100. */
  private async *mappings(userId: string): AsyncGenerator<ExportCell[]> {
    const found = await rows<{ cells: ExportCell[] }>(
      this.em.fork(),
      `select array[c.key, c.value, ${isoTimeSql('m.used_at')}] as cells from import_mappings m cross join lateral jsonb_each_text(m.mapping) c
       where m.owner_id = ? order by m.used_at, m.header_hash, c.key`,
      [userId],
    );
    for (const { cells } of found) yield cells;
  }

  /**
   * Suppressions with a known address. Those of erased addresses are left out, because a hash would mean nothing to the
   * user.
   */
  private suppressions(userId: string): AsyncGenerator<ExportCell[]> {
    return this.paged(
      `select id, array[address_norm, reason, ${isoTimeSql('created_at')}, ${isoTimeSql('expires_at')}] as cells
       from suppressions where owner_id = ?::uuid and address_norm is not null and id > ?::uuid order by id limit ${PAGE_ROWS}`,
      [userId],
    );
  }

  private paged(sql: string, params: unknown[], places?: number): AsyncGenerator<ExportCell[]> {
    return exportedCells(this.em, { sql, params }, { limit: PAGE_ROWS, places });
  }
}
