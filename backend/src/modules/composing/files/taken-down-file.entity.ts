import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/**
 * The hash of a file that an admin took down. Its account may not upload the same bytes again, even after the file was
 * deleted.
 */
@Entity({ tableName: 'taken_down_files' })
export class TakenDownFile {
  [PrimaryKeyProp]?: ['userId', 'sha256'];

  @ManyToOne(() => User, { primary: true, mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @PrimaryKey({ type: 'blob', columnType: 'bytea' })
  sha256: Uint8Array;

  @Property({ ...createdAtColumn })
  takenDownAt: Opt<Date>;
}
