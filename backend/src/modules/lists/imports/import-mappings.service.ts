import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { ImportColumn } from '../entities/contact-import.values.js';
import { headerHash, rememberable, type RememberedMapping } from './judging/remembered-mapping.js';

const MAX_MAPPINGS = 100;

/** Remembers which targets the columns of an account's files had, by the set of the file's headers. */
@Injectable()
export class ImportMappings {
  constructor(private readonly em: EntityManager) {}

  /** The mapping of the account's last file with these headers. @returns null if none is stored */
  async find(ownerId: string, header: readonly string[]): Promise<RememberedMapping | null> {
    const [found] = await rows<{ mapping: RememberedMapping }>(
      this.em.fork(),
      `select mapping from import_mappings where owner_id = ? and header_hash = ?`,
      [ownerId, headerHash(header)],
    );
    return found?.mapping ?? null;
  }

  /** Stores a mapping. If the account has too many, deletes the one that was used longest ago. */
  async remember(em: EntityManager, ownerId: string, columns: readonly ImportColumn[]): Promise<void> {
    const header = columns.map((column) => column.header);
    const mapping = rememberable(
      header,
      columns.map(({ target }) => target),
    );
    await rows(em, REMEMBER, [ownerId, headerHash(header), JSON.stringify(mapping)]);
    await rows(em, FORGET, [ownerId, ownerId]);
  }
}

const REMEMBER = `
  insert into import_mappings (owner_id, header_hash, mapping) values (?, ?, ?::jsonb)
  on conflict (owner_id, header_hash) do update set mapping = excluded.mapping, used_at = now()`;

const FORGET = `
  delete from import_mappings where owner_id = ? and header_hash in (
    select header_hash from import_mappings where owner_id = ? order by used_at desc, header_hash offset ${MAX_MAPPINGS})`;
