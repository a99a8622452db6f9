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
/** Maximum number of characters: 5,000 lines with an address, a reason and a short note. */
export const MAX_BULK_TEXT = 1_000_000;

/** Filters and order of the do-not-send list. */
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
   * An address or a domain; a domain includes its subdomains. `@client.example` and `https://client.example/jobs` are
   * read as the domain
   * @example 'client.example'
   */
  @MaxLength(2_048, { message: INVALID_RULE })
  @IsNotEmpty({ message: INVALID_RULE })
  @IsString({ message: INVALID_RULE })
  @Trim()
  value: string;

  /** Reason; asked_to_stop removes a person from all lists, as if they had unsubscribed, and adds no rule */
  @ApiProperty({ enum: DO_NOT_SEND_REASONS, example: 'end_client' })
  @IsIn(DO_NOT_SEND_REASONS, { message: CHOOSE })
  reason: DoNotSendReason;

  /**
   * A note for the account
   * @example 'Placement of C-104 runs there'
   */
  @OptionalText(CONTACT_LIMITS.ruleNote)
  note?: string | null;

  /** End of the rule: a last day in the account's time zone, such as 2027-03-31, or a time; absent means permanent */
  @ApiPropertyOptional({ type: String, nullable: true, example: '2027-03-31' })
  @OptionalText(40)
  until?: string | null;

  /**
   * true adds the rule even if it covers many contacts (`broad_rule`)
   * @example false
   */
  @IfPresent()
  @IsBoolean()
  confirm?: boolean;
}

/** Changes of a rule; absent fields stay unchanged. */
export class UpdateDoNotSendDto {
  /** Reason */
  @ApiPropertyOptional({ enum: RULE_REASONS, example: 'end_client' })
  @IfPresent()
  @IsIn(RULE_REASONS, { message: CHOOSE })
  reason?: RuleReason;

  /** A note for the account; empty or null clears it */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Placement of C-104 runs there' })
  @OptionalText(CONTACT_LIMITS.ruleNote)
  note?: string | null;

  /** End of the rule: a last day in the account's time zone, or a time; null means permanent */
  @ApiPropertyOptional({ type: String, nullable: true, example: '2027-03-31' })
  @OptionalText(40)
  until?: string | null;
}

/** An entry of the do-not-send list. */
export class DoNotSendEntryDto {
  /** Whether the entry is an address or a domain */
  @ApiProperty({ enum: RULE_KINDS, example: 'domain' })
  kind: RuleKind;

  /**
   * The address, or the domain in lower-case ASCII (Punycode)
   * @example 'client.example'
   */
  value: string;

  /** Reason */
  @ApiProperty({ enum: DO_NOT_SEND_REASONS, example: 'end_client' })
  reason: DoNotSendReason;

  /** Note */
  @ApiProperty({ type: String, nullable: true, example: 'Placement of C-104 runs there' })
  note: string | null;

  /** When the rule ends; null means never */
  @ApiProperty({ type: String, nullable: true, example: null })
  until: string | null;

  /**
   * When the rule was added
   * @example '2026-11-23T10:07:00.000Z'
   */
  createdAt: string;

  /**
   * Number of the account's contacts that the rule covers
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
  /** Id of the rule; null for a person who asked to stop, because this adds no rule */
  @ApiProperty({ type: String, nullable: true, example: '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  id: string | null;
}

/** Many do-not-send entries as text. */
export class BulkDoNotSendDto {
  /**
   * One entry per line: an address or a domain, followed by a reason, a note and a last day, separated by commas,
   * semicolons or tabs, as in the exported CSV file
   * @example 'client.example,End client\njane@other.example,Competitor'
   */
  @MaxLength(MAX_BULK_TEXT, { message: 'The text can have at most 1,000,000 characters' })
  @IsNotEmpty({ message: 'Enter at least one address or domain' })
  @IsString({ message: 'Enter at least one address or domain' })
  @Trim()
  text: string;

  /** Reason for lines that give none; `other` by default */
  @ApiPropertyOptional({ enum: DO_NOT_SEND_REASONS, example: 'competitor' })
  @IfPresent()
  @IsIn(DO_NOT_SEND_REASONS, { message: CHOOSE })
  reason?: DoNotSendReason;
}

/** A line that was refused. */
export class RefusedLineDto {
  /**
   * Number of the line, from 1
   * @example 3
   */
  line: number;

  /**
   * The address or domain in the line
   * @example 'co.uk'
   */
  value: string;

  /**
   * Why the line was refused, as text
   * @example 'Enter an address or a domain'
   */
  reason: string;
}

/** Result of adding many entries. */
export class BulkDoNotSendResultDto {
  /**
   * Number of rules that were added
   * @example 212
   */
  added: number;

  /**
   * Number of people who asked to stop and were removed from all lists
   * @example 3
   */
  withdrawn: number;

  /** Refused lines, at most 1,000 */
  refused: RefusedLineDto[];
}

/** A rule that the account probably wants to add. */
export class DoNotSendSuggestionDto {
  /** Domain of the account's own agency, if no rule covers it; null if there is nothing to suggest */
  @ApiProperty({ type: String, nullable: true, example: 'acme.example' })
  value: string | null;
}
