import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { PROFILE_CONSENTS, type ProfileConsent } from '../contacts.constants.js';

/** Filters of the contacts page. */
export class ProfileFilter {
  /** Id of an own list */
  @ApiPropertyOptional({ type: String, example: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  @IsOptional()
  @IsUUID(undefined, { message: 'list must be the id of a list' })
  list?: string;

  /** Id of a tag */
  @ApiPropertyOptional({ type: Number, example: 81377512 })
  @IsOptional()
  @Max(2 ** 31 - 1)
  @Min(1)
  @IsInt()
  @Type(() => Number)
  tag?: number;

  /** Consent of the person */
  @ApiPropertyOptional({ enum: PROFILE_CONSENTS, example: 'left' })
  @IsOptional()
  @IsIn(PROFILE_CONSENTS)
  consent?: ProfileConsent;

  /** Company domain */
  @ApiPropertyOptional({ type: String, example: 'acme.example' })
  @IsOptional()
  @MaxLength(253)
  @IsString()
  domain?: string;

  /** Id of the import that added the contact */
  @ApiPropertyOptional({ type: String, example: '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10' })
  @IsOptional()
  @IsUUID(undefined, { message: 'import must be the id of an import' })
  import?: string;

  /** Id of a saved segment */
  @ApiPropertyOptional({ type: String, example: '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11' })
  @IsOptional()
  @IsUUID(undefined, { message: 'segment must be the id of a segment' })
  segment?: string;

  /** A part of the address, or the start of the first name, last name or company */
  @ApiPropertyOptional({ type: String, example: 'pri' })
  @IsOptional()
  @MaxLength(254)
  @IsString()
  search?: string;
}

/** Filters, order and page of contacts. */
export class ProfileQuery extends IntersectionType(PageQuery, ProfileFilter) {}
