import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';

/** Short-lived visitor state that outlives one request and one instance (decisions.md D3). */
@Entity({ tableName: 'sessions' })
export class VisitorSession {
  /** Hash of the visitor cookie. */
  @PrimaryKey({ type: 'text' })
  sid: string;

  @Property({ type: 'json' })
  sess: Record<string, unknown>;

  @Property({ ...timestamp })
  @Index({ name: 'sessions_expire_index' })
  expire: Date;
}
