import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { IfPresent, OptionalText, Trim } from '../../../shared/http/requests/text.decorators.js';
import {
  CONTACT_LIMITS,
  DO_NOT_SEND_REASONS,
  type DoNotSendReason,
  RULE_KINDS,
  RULE_REASONS,
  type RuleKind,
  type RuleReason,
} from '../contacts.constants.js';
import { INVALID_RULE } from '../contacts.errors.js';

const CHOOSE = 'Please choose a reason';
/** Most characters: 5,000 lines with an address, a reason and a short note. */
export const MAX_BULK_TEXT = 1_000_000;

/** Query of the do-not-send list. */
export class DoNotSendQuery extends PageQuery {
  /** Only rules for this reason */
  @ApiPropertyOptional({ enum: RULE_REASONS, example: 'end_client' })
  @IsOptional()
  @IsIn(RULE_REASONS)
  reason?: RuleReason;
}

/** A new do-not-send rule. */
export class CreateDoNotSendDto {
  /**
   * An address or a domain; a domain stands for everything below it too. `@client.example` and
   * `https://client.example/jobs` are read as the domain
   * @example 'client.example'
   */
  @MaxLength(2_048, { message: INVALID_RULE })
  @IsNotEmpty({ message: INVALID_RULE })
  @IsString({ message: INVALID_RULE })
  @Trim()
  value: string;

  /** Why; asked_to_stop takes one person off all lists, as if they had unsubscribed, and makes no rule */
  @ApiProperty({ enum: DO_NOT_SEND_REASONS, example: 'end_client' })
  @IsIn(DO_NOT_SEND_REASONS, { message: CHOOSE })
  reason: DoNotSendReason;

  /**
   * A note for yourself
   * @example 'Placement of C-104 runs there'
   */
  @OptionalText(CONTACT_LIMITS.ruleNote)
  note?: string | null;

  /** Last day, such as 2027-03-31, in the account's time zone, or the time at which the rule ends; absent: permanent */
  @ApiPropertyOptional({ type: String, nullable: true, example: '2027-03-31' })
  @OptionalText(40)
  until?: string | null;

  /**
   * true: adds the rule although it covers many contacts (`broad_rule`)
   * @example false
   */
  @IfPresent()
  @IsBoolean()
  confirm?: boolean;
}

/** Changes of a rule: absent fields stay. */
export class UpdateDoNotSendDto {
  /** Why */
  @ApiPropertyOptional({ enum: RULE_REASONS, example: 'end_client' })
  @IfPresent()
  @IsIn(RULE_REASONS, { message: CHOOSE })
  reason?: RuleReason;

  /** A note for yourself; empty or null clears it */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Placement of C-104 runs there' })
  @OptionalText(CONTACT_LIMITS.ruleNote)
  note?: string | null;

  /** Last day in the account's time zone, or the time at which the rule ends; null: permanent */
  @ApiPropertyOptional({ type: String, nullable: true, example: '2027-03-31' })
  @OptionalText(40)
  until?: string | null;
}

/** An entry of the do-not-send list. */
export class DoNotSendEntryDto {
  /** Whether it names an address or a domain */
  @ApiProperty({ enum: RULE_KINDS, example: 'domain' })
  kind: RuleKind;

  /**
   * The address, or the domain in its wire form
   * @example 'client.example'
   */
  value: string;

  /** Why */
  @ApiProperty({ enum: DO_NOT_SEND_REASONS, example: 'end_client' })
  reason: DoNotSendReason;

  /** The note */
  @ApiProperty({ type: String, nullable: true, example: 'Placement of C-104 runs there' })
  note: string | null;

  /** When the rule ends; null: never */
  @ApiProperty({ type: String, nullable: true, example: null })
  until: string | null;

  /**
   * Since when it holds
   * @example '2026-11-23T10:07:00.000Z'
   */
  createdAt: string;

  /**
   * How many of the account's contacts it covers
   * @example 12
   */
  matches: number;
}

/** A do-not-send rule. */
export class DoNotSendRuleDto extends DoNotSendEntryDto {
  /**
   * The rule's id
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;
}

/** Result of adding a do-not-send entry. */
export class DoNotSendAddedDto extends DoNotSendEntryDto {
  /** The rule's id; null for a person who asked to stop, because leaving all lists makes no rule */
  @ApiProperty({ type: String, nullable: true, example: '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  id: string | null;
}

/** Many do-not-send entries as text. */
export class BulkDoNotSendDto {
  /**
   * One entry a line: an address or a domain, then, after a comma, semicolon or tab, a reason, a note and a last day,
   * as the list's own CSV file has them
   * @example 'client.example,End client\njane@other.example,Competitor'
   */
  @MaxLength(MAX_BULK_TEXT, { message: 'The text can have at most 1,000,000 characters' })
  @IsNotEmpty({ message: 'Enter at least one address or domain' })
  @IsString({ message: 'Enter at least one address or domain' })
  @Trim()
  text: string;

  /** Reason of lines that name none; other by default */
  @ApiPropertyOptional({ enum: DO_NOT_SEND_REASONS, example: 'competitor' })
  @IfPresent()
  @IsIn(DO_NOT_SEND_REASONS, { message: CHOOSE })
  reason?: DoNotSendReason;
}

/** A line that was refused. */
export class RefusedLineDto {
  /**
   * Its number, from 1
   * @example 3
   */
  line: number;

  /**
   * The address or domain in it
   * @example 'co.uk'
   */
  value: string;

  /**
   * Why, in words
   * @example 'Enter an address or a domain'
   */
  reason: string;
}

/** Result of adding many entries. */
export class BulkDoNotSendResultDto {
  /**
   * Rules that were added
   * @example 212
   */
  added: number;

  /**
   * People who asked to stop, and so left all lists
   * @example 3
   */
  withdrawn: number;

  /** Refused lines, the first 1,000 */
  refused: RefusedLineDto[];
}

/** A rule that the account probably wants to add. */
export class DoNotSendSuggestionDto {
  /** Domain of the account's own agency, where no rule covers it; null: none */
  @ApiProperty({ type: String, nullable: true, example: 'acme.example' })
  value: string | null;
}
