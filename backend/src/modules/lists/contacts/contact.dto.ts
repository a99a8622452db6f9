import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { CONTACT_TYPES, type ContactType, type SuppressionReason } from '../../../shared/enums.js';
import { EmailText, IfPresent, OptionalText } from '../../../shared/http/requests/text.decorators.js';

/** Values of the status filter of the contacts table. */
export const CONTACT_STATUSES = ['confirmed', 'pending', 'unsubscribed'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** Sort orders of the contacts table; `-` means descending. */
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
   * Name; null if none is given
   * @example 'Sam Vendor'
   */
  name: string | null;

  /**
   * What the person agreed to receive
   * @example 'job-posts'
   */
  subscriptionType: ContactType;

  /**
   * Whether the address is confirmed; only confirmed contacts are mailed
   * @example true
   */
  confirmed: boolean;

  /**
   * Why the contact must not be mailed; null if it may be mailed
   * @example null
   */
  suppressed: SuppressionReason | null;

  /**
   * When the contact was added
   * @example '2026-01-05T09:30:00.000Z'
   */
  createdAt: Date;

  /**
   * Id of the person's profile in /api/contacts; null on the default list, and until an older contact has a profile
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  profileId: string | null;
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
   * What the person agreed to receive; by default, what the list's owner sends
   * @example 'job-posts'
   */
  @IsOptional()
  @IsIn(CONTACT_TYPES, { message: 'Please select a subscription type' })
  subscriptionType?: ContactType;
}

/**
 * Changes to a contact: absent fields stay, an empty name clears the name, a changed address makes the contact Pending.
 */
export class UpdateContactDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  @IfPresent()
  @EmailText()
  email?: string;

  /**
   * Name
   * @example 'Sam Vendor'
   */
  @OptionalText(200)
  name?: string | null;
}

/** Selects a page of a list's contacts. */
export class ContactQuery extends PageQuery {
  /**
   * Only contacts with this status; by default pending and confirmed ones
   * @example 'pending'
   */
  @IsOptional()
  @IsIn(CONTACT_STATUSES)
  status?: ContactStatus;
}
