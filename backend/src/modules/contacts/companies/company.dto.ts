import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { OptionalText } from '../../../shared/http/requests/text.decorators.js';
import { COMPANY_KINDS, type CompanyKind, CONTACT_LIMITS } from '../contacts.constants.js';

const CAP_RULE = `At most per send is a number from 1 to ${CONTACT_LIMITS.companyCap}`;

/** Filters and order of the company list. */
export class CompanyQuery extends PageQuery {
  /** Only companies of this kind */
  @ApiPropertyOptional({ enum: COMPANY_KINDS, example: 'end_client' })
  @IsOptional()
  @IsIn(COMPANY_KINDS)
  kind?: CompanyKind;
}

/** A company: all of the account's contacts whose addresses belong to its domain. */
export class CompanyDto {
  /**
   * Registrable domain of the company's addresses
   * @example 'acme.example'
   */
  domain: string;

  /** Name that the account gave the company, otherwise the most frequent company name of its contacts */
  @ApiProperty({ type: String, nullable: true, example: 'Acme Staffing' })
  name: string | null;

  /** Relation of the company to the account; null if not set */
  @ApiProperty({ enum: COMPANY_KINDS, nullable: true, example: 'vendor' })
  kind: CompanyKind | null;

  /**
   * Number of contacts at the company
   * @example 12
   */
  contacts: number;

  /** When a message to one of the company's contacts was last accepted; null if never, or if not known yet */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-20T09:30:00.000Z' })
  lastMailedAt: string | null;

  /** Maximum number of the company's people that one send reaches; null means no limit */
  @ApiProperty({ type: Number, nullable: true, example: 2 })
  maxPerSend: number | null;

  /** Note about the company */
  @ApiProperty({ type: String, nullable: true, example: 'Net 45, wants rates first' })
  note: string | null;

  /** Id of the do-not-send rule for the whole company; null if there is none */
  @ApiProperty({ type: String, nullable: true, example: null })
  doNotSendId: string | null;
}

/** Changes of a company; absent fields stay unchanged. */
export class UpdateCompanyDto {
  /** Name; if it is empty or null, the most frequent company name of the company's contacts is used */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Acme Staffing' })
  @OptionalText(200)
  name?: string | null;

  /** Relation of the company to the account; null means not set */
  @ApiPropertyOptional({ enum: COMPANY_KINDS, nullable: true, example: 'vendor' })
  @IsOptional()
  @IsIn(COMPANY_KINDS, { message: 'Please choose a kind' })
  kind?: CompanyKind | null;

  /** Maximum number of the company's people that one send reaches, 1 to 50; null means no limit */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: CONTACT_LIMITS.companyCap, example: 2 })
  @IsOptional()
  @Max(CONTACT_LIMITS.companyCap, { message: CAP_RULE })
  @Min(1, { message: CAP_RULE })
  @IsInt({ message: CAP_RULE })
  maxPerSend?: number | null;

  /** Note about the company; empty or null clears it */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Net 45, wants rates first' })
  @OptionalText(CONTACT_LIMITS.ruleNote)
  note?: string | null;
}
