import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { ContactProfile } from './contact-profile.entity.js';

/** A note that a user wrote about a person. */
@Entity({ tableName: 'contact_notes' })
@Index({ name: 'contact_notes_profile_index', properties: ['profileId', 'createdAt', 'id'] })
@Index({ name: 'contact_notes_owner_index', properties: ['ownerId', 'id'] })
export class ContactNote {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => ContactProfile, { mapToPk: true, fieldName: 'profile_id', deleteRule: 'cascade' })
  profileId: string;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'text' })
  body: string;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
