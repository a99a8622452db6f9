import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';

/**
 * Bytes of a file that an admin took down: no account may upload them again. Holds only their hash, so that it may
 * outlive the file and its account.
 */
@Entity({ tableName: 'taken_down_files' })
export class TakenDownFile {
  @PrimaryKey({ type: 'blob', columnType: 'bytea' })
  sha256: Uint8Array;

  @Property({ ...createdAtColumn })
  takenDownAt: Opt<Date>;
}
