import { IsBoolean, IsOptional } from 'class-validator';
import { Transform } from 'class-transformer';
import { PageQuery } from '../../../shared/http/index.js';
import type { ContactType } from '../../../shared/enums.js';
import {
  IfPresent,
  LogoUrl,
  NoAddressOrLink,
  OptionalText,
  RequiredText,
} from '../../../shared/http/requests/text.decorators.js';

/** A list as its owner sees it. */
export class EmailListDto {
  /**
   * The list's id
   * @example '0b9f6a1e-2c1d-4c55-9a3f-6d2c8f5f1a10'
   */
  id: string;

  /**
   * Name of the list
   * @example 'Java vendors, East Coast'
   */
  name: string;

  /**
   * Last part of the public link /subscribe/list/{slug}; stays when the name changes
   * @example 'java-vendors-east-coast-x7k2m9qd'
   */
  slug: string;

  /**
   * Description
   * @example 'Vendors who place Java people between Boston and Atlanta'
   */
  description: string | null;

  /**
   * Agency shown on the public page; null shows the owner's own
   * @example 'Northwind Staffing'
   */
  agencyName: string | null;

  /**
   * Logo shown on the public page
   * @example 'https://northwind.example/logo.png'
   */
  agencyLogo: string | null;

  /**
   * Name shown on the public page; null shows the owner's full name
   * @example 'Ann Lee'
   */
  ownerName: string | null;

  /**
   * Pending and confirmed contacts
   * @example 128
   */
  contactCount: number;

  /**
   * True for the shared network
   * @example false
   */
  isDefault: boolean;

  /**
   * When the list was created
   * @example '2026-01-05T09:30:00.000Z'
   */
  createdAt: Date;

  /**
   * When the list last changed
   * @example '2026-01-06T10:00:00.000Z'
   */
  updatedAt: Date;
}

/** What a list's owner writes about it. In a change, absent fields stay and empty texts clear the field. */
export class ListDetailsDto {
  /**
   * Description
   * @example 'Vendors who place Java people'
   */
  @OptionalText(2000, { multiline: true })
  description?: string | null;

  /**
   * Agency shown on the public page
   * @example 'Northwind Staffing'
   */
  @OptionalText(200)
  agencyName?: string | null;

  /**
   * Logo shown on the public page; https only
   * @example 'https://northwind.example/logo.png'
   */
  @LogoUrl()
  agencyLogo?: string | null;

  /**
   * Name shown on the public page
   * @example 'Ann Lee'
   */
  @OptionalText(200)
  @NoAddressOrLink()
  ownerName?: string | null;
}

/** A new list. */
export class CreateEmailListDto extends ListDetailsDto {
  /**
   * Name of the list
   * @example 'Java vendors, East Coast'
   */
  @RequiredText(200, 'Name is required')
  @NoAddressOrLink()
  name: string;
}

/** Changes of a list. */
export class UpdateEmailListDto extends ListDetailsDto {
  /**
   * The list's name; may be absent, but not blank
   * @example 'Java vendors'
   */
  @IfPresent()
  @RequiredText(200, 'Name is required')
  @NoAddressOrLink()
  name?: string;
}

/** A page of lists. */
export class EmailListQuery extends PageQuery {
  /**
   * Adds the shared network, which everybody may send to
   * @example true
   */
  @IsOptional()
  @Transform(({ obj }: { obj: Record<string, unknown> }) =>
    obj['sendable'] === 'true' ? true : obj['sendable'] === 'false' ? false : obj['sendable'],
  )
  @IsBoolean()
  sendable?: boolean;
}

/** A list as its public page shows it. */
export class PublicListDto {
  /**
   * The list's id, sent with POST /api/subscribe
   * @example '0b9f6a1e-2c1d-4c55-9a3f-6d2c8f5f1a10'
   */
  id: string;

  /**
   * Slug of the list
   * @example 'java-vendors-east-coast-x7k2m9qd'
   */
  slug: string;

  /**
   * Name of the list
   * @example 'Java vendors, East Coast'
   */
  name: string;

  /**
   * Description
   * @example 'Vendors who place Java people'
   */
  description: string | null;

  /**
   * Agency that the page shows
   * @example 'Northwind Staffing'
   */
  agencyName: string | null;

  /**
   * Logo that the page shows
   * @example 'https://northwind.example/logo.png'
   */
  agencyLogo: string | null;

  /**
   * Name of the owner
   * @example 'Ann Lee'
   */
  ownerName: string | null;

  /**
   * What a subscriber of this page agrees to receive
   * @example 'job-posts'
   */
  subscriptionType: ContactType;
}

/** Figures of a list at the end of a day. */
export class ListDayDto {
  /**
   * The day, in the caller's time zone
   * @example '2026-11-21'
   */
  date: string;

  /**
   * Pending and confirmed contacts at the end of the day
   * @example 412
   */
  contacts: number;

  /**
   * Contacts added on the day
   * @example 14
   */
  added: number;

  /**
   * Contacts unsubscribed on the day
   * @example 1
   */
  unsubscribed: number;
}

/** Figures of a list. */
export class ListFiguresDto {
  /**
   * Confirmed contacts that did not bounce
   * @example 380
   */
  confirmed: number;

  /**
   * Contacts that have not confirmed yet
   * @example 28
   */
  pending: number;

  /**
   * Contacts that bounced
   * @example 4
   */
  bounced: number;

  /** The last eight weeks, oldest day first; manually removed contacts are not counted. */
  days: ListDayDto[];
}
