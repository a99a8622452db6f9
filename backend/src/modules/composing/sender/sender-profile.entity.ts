import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf } from '../../../shared/database/queries/columns.js';
import { TEXT_COLORS, type TextColor } from '../../../shared/mail/message-style.js';
import { User } from '../../auth/index.js';
import type { DocumentJson } from '../document/document.js';
import { StoredFile } from '../files/stored-file.entity.js';

/**
 * The details, business address and brand of a sender, which the user's messages show. An accepted send has copies of
 * the parts that it needs. The statement that saves a profile also checks the version.
 */
@Entity({ tableName: 'sender_profiles' })
@Check({ name: 'sender_profiles_accent_check', expression: oneOf('accent', TEXT_COLORS) })
export class SenderProfile {
  [PrimaryKeyProp]?: 'userId';

  @OneToOne(() => User, { primary: true, mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Number of saves. A save names the version that it replaces. */
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;

  /** Job title, such as "Senior recruiter". */
  @Property({ type: 'text', nullable: true })
  title?: string | null;

  @Property({ type: 'text', nullable: true })
  phone?: string | null;

  @Property({ type: 'text', nullable: true })
  website?: string | null;

  /** A page about the user, for example on LinkedIn. */
  @Property({ type: 'text', nullable: true })
  profileUrl?: string | null;

  @Property({ type: 'text', nullable: true })
  addressLine1?: string | null;

  @Property({ type: 'text', nullable: true })
  addressLine2?: string | null;

  @Property({ type: 'text', nullable: true })
  city?: string | null;

  /** State or province. */
  @Property({ type: 'text', nullable: true })
  region?: string | null;

  @Property({ type: 'text', nullable: true })
  postalCode?: string | null;

  @Property({ type: 'text', nullable: true })
  country?: string | null;

  /** Signature below the message. */
  @Property({ type: 'json', nullable: true })
  signature?: DocumentJson | null;

  /** Closing line below the signature. The footer with the business address and the unsubscribe link follows it. */
  @Property({ type: 'json', nullable: true })
  footer?: DocumentJson | null;

  @ManyToOne(() => StoredFile, {
    mapToPk: true,
    nullable: true,
    fieldName: 'logo_file_id',
    deleteRule: 'set null',
    index: 'sender_profiles_logo_index',
  })
  logoFileId?: string | null;

  /** Colour of links and buttons; null means the default colour. */
  @Property({ type: 'text', nullable: true })
  accent?: TextColor | null;

  /** Whether messages begin with the logo or, without one, with the agency's name. */
  @Property({ type: 'boolean', default: false })
  showLogo: Opt<boolean> = false;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;
}
