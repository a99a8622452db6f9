import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { CONTACT_TYPES, type ContactType } from '../../../shared/words/contact-type.js';
import type { SuppressionReason } from '../../../shared/words/suppression.js';
import { EmailText, OptionalText } from './fields.js';

/** What the table's filter offers. */
export const CONTACT_STATUSES = ['confirmed', 'pending', 'unsubscribed'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** Orders of the contact table; `-` turns one round. */
export const CONTACT_SORTS = ['email', '-email', 'createdAt', '-createdAt', 'name', '-name'] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

/** One address on one list. */
export class ContactDto {
  /**
   * The contact's id
   * @example '7a1e3f5c-8f57-4f0a-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * The address as typed
   * @example 'vendor@example.com'
   */
  email: string;

  /**
   * Name, where one was given
   * @example 'Sam Vendor'
   */
  name: string | null;

  /**
   * What the person agreed to receive
   * @example 'job-posts'
   */
  subscriptionType: ContactType;

  /**
   * Whether the address was confirmed; only then it is mailed
   * @example true
   */
  confirmed: boolean;

  /**
   * Why it is not mailed, where that is so
   * @example null
   */
  suppressed: SuppressionReason | null;

  /**
   * When it was added
   * @example '2026-01-05T09:30:00.000Z'
   */
  createdAt: Date;
}

/** A new contact. */
export class AddContactDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  @EmailText()
  email: string;

  /**
   * Name
   * @example 'Sam Vendor'
   */
  @OptionalText(200)
  name?: string | null;

  /**
   * What the person agreed to receive; by default what the list's owner sends
   * @example 'job-posts'
   */
  @IsOptional()
  @IsIn(CONTACT_TYPES, { message: 'Please select a subscription type' })
  subscriptionType?: ContactType;
}

/** A change of a contact: what is absent stays, an empty name clears; a changed address starts Pending again. */
export class UpdateContactDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  @ValidateIf((_dto, value) => value !== undefined)
  @EmailText()
  email?: string;

  /**
   * Name
   * @example 'Sam Vendor'
   */
  @OptionalText(200)
  name?: string | null;
}

/** A page of contacts. */
export class ContactQuery extends PageQuery {
  /**
   * Only contacts of this status; without it Pending and Confirmed ones
   * @example 'pending'
   */
  @IsOptional()
  @IsIn(CONTACT_STATUSES)
  status?: ContactStatus;
}
