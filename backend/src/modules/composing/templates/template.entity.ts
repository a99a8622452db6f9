import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { SEND_TYPES, type SendType } from '../../../shared/enums.js';
import { User } from '../../auth/index.js';
import type { DraftOptions } from '../drafts/draft.entity.js';
import type { DocumentJson } from '../document/document.js';

/** A reusable message of a user. Drafts and sends made from it are copies, which later changes do not affect. */
@Entity({ tableName: 'email_templates' })
@Check({ name: 'email_templates_type_check', expression: oneOf('email_type', SEND_TYPES) })
@Index({
  name: 'email_templates_owner_index',
  expression:
    'create index "email_templates_owner_index" on "email_templates" ("owner_id", "updated_at" desc, "id" desc)',
})
@Unique({
  name: 'email_templates_name_unique',
  expression: 'create unique index "email_templates_name_unique" on "email_templates" ("owner_id", lower(name))',
})
export class Template {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'text' })
  name: string;

  /** Number of changes. A change names the version that it replaces. */
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;

  @Property({ type: 'text' })
  emailType: SendType;

  @Property({ type: 'text', nullable: true })
  subject?: string | null;

  @Property({ type: 'json' })
  document: DocumentJson;

  /** Choices about brand and signature for messages made from the template; null means the defaults. */
  @Property({ type: 'json', nullable: true })
  options?: DraftOptions | null;

  @Property({ ...timestamp, nullable: true })
  usedAt?: Date | null;

  @Property({ type: 'integer', default: 0 })
  useCount: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;
}
