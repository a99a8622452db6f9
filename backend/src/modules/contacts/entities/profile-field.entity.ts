import type { Opt } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { FIELD_TYPES, type FieldType } from '../contacts.constants.js';

/** A custom field that an account added to its profiles. Column labels of single lists are in `contact_fields`. */
@Entity({ tableName: 'profile_fields' })
@Unique({ name: 'profile_fields_key_unique', properties: ['ownerId', 'key'] })
@Check({ name: 'profile_fields_type_check', expression: oneOf('type', FIELD_TYPES) })
export class ProfileField {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  /** Key under which values are stored; never changes. */
  @Property({ type: 'text' })
  key: string;

  @Property({ type: 'text' })
  label: string;

  @Property({ type: 'text' })
  type: FieldType;

  /** Options of the types choice and choices. */
  @Property({ type: 'json', default: '[]' })
  options: Opt<string[]>;

  @Property({ type: 'integer' })
  position: number;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
