import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { AbsentIfNull } from '../../../shared/http/index.js';
import { PreviewSendDto } from '../send.dto.js';

/** Which recipient is shown; at most one of `after` and `before`. */
export class RenderRecipientDto {
  /**
   * The recipient after this one: `next` of the last answer
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  @AbsentIfNull()
  @IsOptional()
  @MaxLength(700)
  @IsString()
  after?: string;

  /**
   * The recipient before this one: `previous` of the last answer
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  @AbsentIfNull()
  @IsOptional()
  @MaxLength(700)
  @IsString()
  before?: string;

  /**
   * Part of the address
   * @example 'acme'
   */
  @AbsentIfNull()
  @IsOptional()
  @MaxLength(254)
  @IsString()
  search?: string;

  /**
   * Only recipients without a value for at least one tag of the message
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  onlyEmpty?: boolean;
}

/** A composition, and the recipient for whom it is rendered. */
export class RenderSendDto extends PreviewSendDto {
  /**
   * Highlights the filled values in the HTML part
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  marks?: boolean;

  /** Absent: the first recipient. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RenderRecipientDto)
  recipient?: RenderRecipientDto;
}

/** The recipient that a message is shown for. */
export class RenderedRecipientDto {
  /**
   * Id of the contact
   * @example '7a1e3f5c-8f57-4f0a-9c65-0d6c1d2a9b11'
   */
  contactId: string;

  /**
   * The address as typed
   * @example 'priya@acme.example'
   */
  email: string;

  /**
   * Name, where one was given
   * @example 'Priya Patel'
   */
  name: string | null;

  /**
   * The list that it is mailed by
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * Tags of the message for which it has no value
   * @example ['company']
   */
  emptyTags: string[];
}

/** A sample message as recipients would read it. */
export class SenderPreviewDto {
  /**
   * HTML part
   * @example '<!doctype html><html>...</html>'
   */
  html: string;

  /**
   * Text part
   * @example 'Hi Priya, we are looking for a Java developer.'
   */
  text: string;
}

/** A message as one recipient reads it. */
export class RenderedMessageDto {
  /**
   * Subject line
   * @example 'Java developer for Acme Staffing'
   */
  subject: string;

  /**
   * The line that inboxes show after the subject; empty where there is none
   * @example 'Hybrid, Hartford CT'
   */
  preheader: string;

  /**
   * HTML part
   * @example '<!doctype html><html>...</html>'
   */
  html: string;

  /**
   * Text part
   * @example 'Hi Priya, we are looking for a Java developer.'
   */
  text: string;

  /**
   * null: the values are made up, because the recipient is a member of the shared network, or because there is no
   * recipient.
   */
  recipient: RenderedRecipientDto | null;

  /**
   * For the recipient after this one; null: it is the last
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  next: string | null;

  /**
   * For the recipient before this one; null: it is the first
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  previous: string | null;
}
