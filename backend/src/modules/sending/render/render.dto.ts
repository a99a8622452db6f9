import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { AbsentIfNull } from '../../../shared/http/index.js';
import { PreviewSendDto } from '../send.dto.js';

/** Selects the recipient to show; either `after` or `before`, not both. */
export class RenderRecipientDto {
  /**
   * Shows the recipient after this one; take `next` from the last response
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  @AbsentIfNull()
  @IsOptional()
  @MaxLength(700)
  @IsString()
  after?: string;

  /**
   * Shows the recipient before this one; take `previous` from the last response
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  @AbsentIfNull()
  @IsOptional()
  @MaxLength(700)
  @IsString()
  before?: string;

  /**
   * Shows only recipients whose address contains this text
   * @example 'acme'
   */
  @AbsentIfNull()
  @IsOptional()
  @MaxLength(254)
  @IsString()
  search?: string;

  /**
   * Shows only recipients who lack a value for at least one merge tag of the message
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  onlyEmpty?: boolean;
}

/** A composition, and the recipient to render it for. */
export class RenderSendDto extends PreviewSendDto {
  /**
   * Highlights the filled values in the HTML part
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  marks?: boolean;

  /** Selects the recipient; absent: the first one. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RenderRecipientDto)
  recipient?: RenderRecipientDto;
}

/** The recipient for whom a message is shown. */
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
   * Name of the recipient; null if none was given
   * @example 'Priya Patel'
   */
  name: string | null;

  /**
   * Name of the list through which the message reaches the recipient
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * Merge tags of the message for which the recipient has no value
   * @example ['company']
   */
  emptyTags: string[];
}

/** A sample message, as recipients would read it. */
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

/** A message, as one recipient reads it. */
export class RenderedMessageDto {
  /**
   * Subject line
   * @example 'Java developer for Acme Staffing'
   */
  subject: string;

  /**
   * Line that inboxes show after the subject; empty if there is none
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
   * The recipient for whom the message is shown. Null if the values are made up, because all recipients are members of
   * the shared network or because no recipient was found.
   */
  recipient: RenderedRecipientDto | null;

  /**
   * Value of `after` that shows the next recipient; null: this is the last one
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  next: string | null;

  /**
   * Value of `before` that shows the previous recipient; null: this is the first one
   * @example 'amFuZUBleGFtcGxlLmNvbQ'
   */
  previous: string | null;
}
