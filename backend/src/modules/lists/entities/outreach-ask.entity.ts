import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp } from '../../../shared/database/columns.js';

/** Who wanted a person to be asked: the owner of the list (or the team, for the network), or a visitor of its page. */
export const ASK_PATHS = ['own', 'public'] as const;
export type AskPath = (typeof ASK_PATHS)[number];

/**
 * That a mailbox was asked for a list. Mailboxes are kept as hashes and nothing refers to other rows, so that deleting contact, list or
 * account forgets nothing: the record protects the person who was asked.
 */
@Entity({ tableName: 'outreach_asks' })
@Check({ name: 'outreach_asks_path_check', expression: oneOf('path', ASK_PATHS) })
@Index({ name: 'outreach_asks_recipient_index', properties: ['recipient', 'sender'] })
export class OutreachAsk {
  /** Id of the system mail. */
  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Mailbox of the list's owner; null: the network. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  sender?: Uint8Array | null;

  /** Mailbox that was asked. */
  @Property({ type: 'blob', columnType: 'bytea' })
  recipient: Uint8Array;

  @Property({ type: 'uuid' })
  emailListId: string;

  @Property({ type: 'text' })
  path: AskPath;

  /** The person had left the list's sender or the network before. */
  @Property({ type: 'boolean', default: false })
  afterLeaving: Opt<boolean> = false;

  /** UTC day whose budget it took. */
  @Property({ type: 'date' })
  day: string;

  @Property({ ...createdAtColumn })
  askedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  confirmedAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  bouncedAt?: Date | null;
}
