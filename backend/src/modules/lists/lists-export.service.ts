import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { type ExportCell, ExportParts } from '../../shared/export/export-parts.js';

const PAGE = 1000;
const START = '00000000-0000-0000-0000-000000000000';

/** Lists, contacts and suppressions of an account, for the download of its own data. */
@Injectable()
export class ListsExport implements OnModuleInit {
  constructor(private readonly em: EntityManager, private readonly parts: ExportParts) {}

  onModuleInit(): void {
    this.parts.add(
      { file: 'lists.csv', header: ['id', 'name', 'slug', 'description', 'agency', 'logo', 'owner name', 'contacts', 'created', 'changed'], rows: (userId) => this.lists(userId) },
      {
        file: 'contacts.csv',
        header: ['list', 'email', 'name', 'type', 'confirmed', 'suppressed', 'source', 'added', 'confirmed at', 'unsubscribed at', 'further columns'],
        rows: (userId) => this.contacts(userId),
      },
      { file: 'suppressions.csv', header: ['email', 'reason', 'since', 'until'], rows: (userId) => this.suppressions(userId) },
    );
  }

  private lists(userId: string): AsyncGenerator<ExportCell[]> {
    return this.paged(
      `select id, array[id::text, name, slug, description, agency_name, agency_logo, owner_name, contact_count::text, ${iso('created_at')}, ${iso('updated_at')}] as cells
       from email_lists where owner_id = ?::uuid and id > ?::uuid order by id limit ${PAGE}`,
      [userId],
    );
  }

  /** List by list, so that each page is a walk along one index. */
  private async *contacts(userId: string): AsyncGenerator<ExportCell[]> {
    for (const { id } of await rows<{ id: string }>(this.em.fork(), `select id from email_lists where owner_id = ? order by id`, [userId])) {
      yield* this.paged(
        `select c.id, array[l.name, c.email, c.name, c.subscription_type, c.confirmed::text, c.suppressed, c.source, ${iso('c.created_at')}, ${iso('c.confirmed_at')},
           ${iso('c.unsubscribed_at')}, c.attributes::text] as cells
         from subscriptions c join email_lists l on l.id = c.email_list_id
         where c.email_list_id = ?::uuid and (c.created_at, c.id) > (select coalesce((select created_at from subscriptions where id = ?::uuid), '-infinity'), ?::uuid)
         order by c.created_at, c.id limit ${PAGE}`,
        [id], 2,
      );
    }
  }

  /** Those whose address is still known; a hash tells nobody anything. */
  private suppressions(userId: string): AsyncGenerator<ExportCell[]> {
    return this.paged(
      `select id, array[address_norm, reason, ${iso('created_at')}, ${iso('expires_at')}] as cells
       from suppressions where owner_id = ?::uuid and address_norm is not null and id > ?::uuid order by id limit ${PAGE}`,
      [userId],
    );
  }

  /** @param places how often the id of the last row stands in the statement */
  private async *paged(sql: string, params: unknown[], places = 1): AsyncGenerator<ExportCell[]> {
    for (let last = START; ; ) {
      const found = await rows<{ id: string; cells: ExportCell[] }>(this.em.fork(), sql, [...params, ...Array<string>(places).fill(last)]);
      for (const { cells } of found) yield cells;
      if (found.length < PAGE) return;
      last = found.at(-1)!.id;
    }
  }
}

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
