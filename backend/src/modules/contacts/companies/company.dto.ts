import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { OptionalText } from '../../../shared/http/requests/text.decorators.js';
import { COMPANY_KINDS, type CompanyKind, CONTACT_LIMITS } from '../contacts.constants.js';

const CAP_RULE = `At most per send is a number from 1 to ${CONTACT_LIMITS.companyCap}`;

/** Query of the companies. */
export class CompanyQuery extends PageQuery {
  /** Only companies of this kind */
  @ApiPropertyOptional({ enum: COMPANY_KINDS, example: 'end_client' })
  @IsOptional()
  @IsIn(COMPANY_KINDS)
  kind?: CompanyKind;
}

/** A company: everyone of the account's contacts with an address at its domain. */
export class CompanyDto {
  /**
   * Registrable domain of its addresses
   * @example 'acme.example'
   */
  domain: string;

  /** Its name: the one that the account gave it, else the most frequent one among its contacts */
  @ApiProperty({ type: String, nullable: true, example: 'Acme Staffing' })
  name: string | null;

  /** What it is to the account; null: not set */
  @ApiProperty({ enum: COMPANY_KINDS, nullable: true, example: 'vendor' })
  kind: CompanyKind | null;

  /**
   * Contacts there
   * @example 12
   */
  contacts: number;

  /** When a message to one of its contacts was last accepted; null: never, or not known yet */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-20T09:30:00.000Z' })
  lastMailedAt: string | null;

  /** Most people there that get one send; null: no limit */
  @ApiProperty({ type: Number, nullable: true, example: 2 })
  maxPerSend: number | null;

  /** The note */
  @ApiProperty({ type: String, nullable: true, example: 'Net 45, wants rates first' })
  note: string | null;

  /** Id of the do-not-send rule for the whole company; null: none */
  @ApiProperty({ type: String, nullable: true, example: null })
  doNotSendId: string | null;
}

/** Changes of a company: absent fields stay. */
export class UpdateCompanyDto {
  /** Its name; empty or null: the most frequent one among its contacts */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Acme Staffing' })
  @OptionalText(200)
  name?: string | null;

  /** What it is to the account; null: not set */
  @ApiPropertyOptional({ enum: COMPANY_KINDS, nullable: true, example: 'vendor' })
  @IsOptional()
  @IsIn(COMPANY_KINDS, { message: 'Please choose a kind' })
  kind?: CompanyKind | null;

  /** Most people there that get one send, 1 to 50; null: no limit */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: CONTACT_LIMITS.companyCap, example: 2 })
  @IsOptional()
  @Max(CONTACT_LIMITS.companyCap, { message: CAP_RULE })
  @Min(1, { message: CAP_RULE })
  @IsInt({ message: CAP_RULE })
  maxPerSend?: number | null;

  /** A note; empty or null clears it */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Net 45, wants rates first' })
  @OptionalText(CONTACT_LIMITS.ruleNote)
  note?: string | null;
}
