import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';

/** Referral of a visitor who has no account yet. Stored here, so that it survives across requests and instances. */
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
