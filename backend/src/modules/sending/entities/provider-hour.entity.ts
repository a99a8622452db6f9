import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';
import { EmailProvider } from './email-provider.entity.js';

/** Messages that an account being warmed up was given in one hour. */
@Entity({ tableName: 'provider_hours' })
export class ProviderHour {
  [PrimaryKeyProp]?: ['providerId', 'hour'];

  @ManyToOne(() => EmailProvider, { primary: true, mapToPk: true, fieldName: 'provider_id', deleteRule: 'cascade' })
  providerId: string;

  @PrimaryKey({ ...timestamp })
  hour: Date;

  @Property({ type: 'integer', default: 0 })
  messages: Opt<number> = 0;
}
