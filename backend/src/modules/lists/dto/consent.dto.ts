import { IsIn, IsOptional, IsString } from 'class-validator';
import { CONTACT_TYPES, type ContactType } from '../../../shared/words/contact-type.js';
import { EmailText } from './fields.js';

/** What a visitor sends to subscribe. */
export class SubscribeDto {
  /**
   * The visitor's address
   * @example 'visitor@example.com'
   */
  @EmailText()
  email: string;

  /**
   * What the visitor wants to receive
   * @example 'job-posts'
   */
  @IsIn(CONTACT_TYPES, { message: 'Please select a subscription type' })
  subscriptionType: ContactType;

  /**
   * The list of the public page; without one the visitor joins the network
   * @example '0b9f6a1e-2c1d-4c55-9a3f-6d2c8f5f1a10'
   */
  @IsOptional()
  @IsString()
  emailListId?: string | null;
}

/** A confirmed address. */
export class ConfirmedDto {
  /**
   * Text for the person
   * @example 'Your subscription is confirmed.'
   */
  message: string;

  /**
   * The address that was confirmed
   * @example 'visitor@example.com'
   */
  email: string;

  /**
   * The list it is on
   * @example 'Java vendors, East Coast'
   */
  listName: string;
}

/** An address that has left. */
export class UnsubscribedDto {
  /**
   * Text for the person
   * @example 'You have been unsubscribed.'
   */
  message: string;

  /**
   * The address
   * @example 'visitor@example.com'
   */
  email: string;
}
