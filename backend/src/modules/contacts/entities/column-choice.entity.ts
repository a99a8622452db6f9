import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { User } from '../../auth/index.js';

/** The columns of contacts that a user chose to see, in their order. */
@Entity({ tableName: 'contact_columns' })
export class ColumnChoice {
  @OneToOne(() => User, { primary: true, mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'jsonb' })
  columns: string[];
}
