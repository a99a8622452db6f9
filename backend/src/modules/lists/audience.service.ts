import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import type { ContactType } from '../../shared/words/contact-type.js';
import type { SendType } from '../../shared/words/send-type.js';

/** Who a send would reach, and who it leaves out and why (decisions.md D19). */
export interface AudiencePreview {
  recipientCount: number;
  excluded: { pending: number; otherType: number; suppressed: number; duplicates: number };
}

/** SQL with `?` placeholders and their values, to stand in an INSERT … SELECT or a FROM. */
export interface SqlPart {
  sql: string;
  params: unknown[];
}

/** A contact that may still be mailed when its turn has come. */
export interface MailableContact {
  contactId: string;
  /** As typed: what the message is addressed to. */
  email: string;
  name: string | null;
  unsubscribeToken: string;
  listName: string;
  /** The first message to an attested contact says who added it (decisions.md D46). */
  introductionDue: boolean;
}

export interface Recheck {
  mailable: Map<string, MailableContact>;
  /** Contact id → why it is left out now. */
  skipped: Map<string, 'unsubscribed' | 'bounced' | 'complained' | 'unconfirmed' | 'deleted'>;
}

/** A chosen list, as findSendable of Lists hands it out. */
export interface SendableList {
  id: string;
  name: string;
  isDefault: boolean;
  contactCount: number;
}

/** The resolved set of a send: consent is a condition of its query, not a filter after it. */
@Injectable()
export class Audience {
  /** Counts what a send to these lists would reach; the lists must come from Lists.findSendable. */
  async preview(_user: RequestUser, _listIds: string[], _sendType: SendType): Promise<AudiencePreview> {
    throw new Error('to come');
  }

  /**
   * The recipients, each address once (own list before the default one), with the columns
   * contact_id uuid, email_list_id uuid, email text, email_norm text, email_hash bytea, name text, masked boolean.
   */
  selectSql(_lists: SendableList[], _contactType: ContactType, _ownerId: string): SqlPart {
    throw new Error('to come');
  }

  /** Looks again just before mailing: who may still be mailed by this owner, and why the others may not. */
  async recheck(_contactIds: string[], _ownerId: string, _contactType?: ContactType): Promise<Recheck> {
    throw new Error('to come');
  }

  /** Notes that these contacts were sent the introduction. */
  async introduced(_contactIds: string[]): Promise<void> {
    throw new Error('to come');
  }
}
