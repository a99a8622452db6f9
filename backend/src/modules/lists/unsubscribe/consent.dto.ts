import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { CONTACT_TYPES, type ContactType } from '../../../shared/enums.js';
import { EmailText } from '../../../shared/http/requests/text.decorators.js';

/** A visitor's subscription. */
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

  /**
   * A honeypot: the page hides this field, so people leave it empty. A submission with a value gets the same answer,
   * but is dropped
   * @example ''
   */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  homepage?: string | null;

  /**
   * No longer read; forms that were opened before an update still send it
   * @example 14200
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  filledInMs?: number | null;
}

/** A confirmed address. */
export class ConfirmedDto {
  /**
   * Text for the person
   * @example 'Your subscription is confirmed.'
   */
  message: string;

  /**
   * The confirmed address
   * @example 'visitor@example.com'
   */
  email: string;

  /**
   * Name of the list that the address is on
   * @example 'Java vendors, East Coast'
   */
  listName: string;
}

/** An unsubscribed address. */
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

/** A sender who has the address on a list. */
export class SenderDto {
  /**
   * The sender's id; `network` for the shared network
   * @example '0b9f6a1e-2c1d-4c55-9a3f-6d2c8f5f1a10'
   */
  id: string;

  /**
   * The sender's name
   * @example 'Dana Okafor'
   */
  name: string;

  /** The sender's agency; null if none is given, or the agency is the sender's name. */
  @ApiProperty({ type: String, nullable: true, example: 'Northline Staffing' })
  agencyName: string | null;

  /**
   * The sender's lists that hold the address
   * @example ['Java vendors, East Coast']
   */
  lists: string[];

  /**
   * Whether the address has unsubscribed from this sender
   * @example false
   */
  left: boolean;
}

/** An address and the senders that have it. */
export class SenderChoicesDto {
  /**
   * The address
   * @example 'visitor@example.com'
   */
  email: string;

  /**
   * Whether the address is unsubscribed in at least one scope of the link, or from all senders
   * @example true
   */
  left: boolean;

  /** The senders, the one with the newest list first. */
  senders: SenderDto[];
}

/** The sender to unsubscribe from. */
export class LeaveSenderDto {
  /**
   * The sender's id, from the list of senders
   * @example 'network'
   */
  @IsString()
  @MaxLength(64)
  sender: string;
}

/** What to undo: the unsubscribe by the link itself or, if a sender is given, the one from that sender. */
export class UndoDto {
  /**
   * The sender from whom the address had unsubscribed
   * @example 'network'
   */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  sender?: string | null;
}
