import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, updatedAtColumn, uuidKey } from '../../../shared/database/columns.js';

/** A configured SMTP account. apiKeyRef names a secret of the configuration, never the secret itself. */
@Entity({ tableName: 'email_providers' })
@Unique({ name: 'email_providers_one_default', expression: 'create unique index "email_providers_one_default" on "email_providers" ("is_default") where is_default' })
export class EmailProvider {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  @Unique({ name: 'email_providers_name_unique' })
  name: string;

  @Property({ type: 'text' })
  apiKeyRef: string;

  @Property({ type: 'json', nullable: true })
  config?: Record<string, unknown> | null;

  @Property({ type: 'boolean', default: false })
  isDefault: Opt<boolean> = false;

  @Property({ type: 'boolean', default: true })
  isActive: Opt<boolean> = true;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
