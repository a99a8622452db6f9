import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ExportCell, exportedCells, ExportParts } from '../../shared/personal-data.js';
import { isoTimeSql } from '../../shared/text/formats.js';
import { SHOWN_FIELDS } from './bulk/cleanup.js';
import { PERSON_CELLS, PERSON_HEADER } from './profiles/person-cells.js';

const PAGE_ROWS = 1_000;

/** Adds profiles with fields and notes, segments, do-not-send rules and companies to the account's data export. */
@Injectable()
export class ContactsExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add(
      {
        file: 'people.csv',
        header: [...PERSON_HEADER, 'fields', 'earlier addresses', 'source', 'added', 'changed'],
        rows: (userId) => this.paged(PEOPLE, userId),
      },
      {
        file: 'people-notes.csv',
        header: ['email', 'written', 'note'],
        rows: (userId) => this.paged(NOTES, userId),
      },
      {
        file: 'people-fields.csv',
        header: ['key', 'label', 'type', 'options'],
        rows: (userId) => this.paged(FIELDS, userId),
      },
      {
        file: 'segments.csv',
        header: ['name', 'filter', 'made', 'changed', 'last used'],
        rows: (userId) => this.paged(SEGMENTS, userId),
      },
      {
        file: 'do-not-send.csv',
        header: ['value', 'reason', 'note', 'until', 'added'],
        rows: (userId) => this.paged(RULES, userId),
      },
      {
        file: 'companies.csv',
        header: ['domain', 'name', 'kind', 'at most per send', 'note'],
        rows: (userId) => this.paged(COMPANIES, userId, ''),
      },
    );
  }

  private paged(sql: string, userId: string, first?: string): AsyncGenerator<ExportCell[]> {
    return exportedCells(this.em, { sql, params: [userId] }, { limit: PAGE_ROWS, first });
  }
}

const PEOPLE = `
  select p.id, array[${PERSON_CELLS}, (${SHOWN_FIELDS})::text, p.earlier_addresses::text, p.source,
    ${isoTimeSql('p.created_at')}, ${isoTimeSql('p.updated_at')}] as cells
  from contact_profiles p where p.owner_id = ?::uuid and p.id > ?::uuid order by p.id limit ${PAGE_ROWS}`;

const NOTES = `
  select n.id, array[p.email, ${isoTimeSql('n.created_at')}, n.body] as cells
  from contact_notes n join contact_profiles p on p.id = n.profile_id
  where n.owner_id = ?::uuid and n.id > ?::uuid order by n.id limit ${PAGE_ROWS}`;

const FIELDS = `
  select f.id, array[f.key, f.label, f.type, f.options::text] as cells
  from profile_fields f where f.owner_id = ?::uuid and f.id > ?::uuid order by f.id limit ${PAGE_ROWS}`;

const SEGMENTS = `
  select s.id, array[s.name, s.filter::text, ${isoTimeSql('s.created_at')}, ${isoTimeSql('s.updated_at')}, ${isoTimeSql('s.last_used_at')}] as cells
  from segments s where s.owner_id = ?::uuid and s.id > ?::uuid order by s.id limit ${PAGE_ROWS}`;

const RULES = `
  select r.id, array[r.value, r.reason, r.note, ${isoTimeSql('r.expires_at')}, ${isoTimeSql('r.created_at')}] as cells
  from do_not_send_rules r where r.owner_id = ?::uuid and r.id > ?::uuid order by r.id limit ${PAGE_ROWS}`;

const COMPANIES = `
  select k.domain as id, array[k.domain, k.name, k.kind, k.max_per_send::text, k.note] as cells
  from companies k where k.owner_id = ? and k.domain > ? order by k.domain limit ${PAGE_ROWS}`;
