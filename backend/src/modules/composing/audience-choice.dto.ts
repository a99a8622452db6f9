import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

const MAX_IDS = 100;
const MAX_EXCLUDED_ADDRESSES = 500;
const MAX_ID_LENGTH = 36;
const CAP_RULE = 'At most per company is a number from 1 to 50';

/** Which people at one company are mailed first if the company cap leaves some out. */
export const COMPANY_PREFERENCES = ['least_recently_mailed'] as const;
export type CompanyPreference = (typeof COMPANY_PREFERENCES)[number];

/** Cap on the number of people at one company that a send reaches. */
export class PerCompanyDto {
  /**
   * Maximum number of people at one company, 1 to 50
   * @example 2
   */
  @Max(50, { message: CAP_RULE })
  @Min(1, { message: CAP_RULE })
  @IsInt({ message: CAP_RULE })
  max: number;

  /** Which people are kept under the cap; by default those mailed least recently or never */
  @ApiPropertyOptional({ enum: COMPANY_PREFERENCES, example: 'least_recently_mailed' })
  @IsOptional()
  @IsIn(COMPANY_PREFERENCES, { message: 'Please choose who is mailed first' })
  prefer?: CompanyPreference;
}

const ids = (what: string) => ({ each: true, message: `${what} must be ids` });

/** The audience of an email besides its lists: segments, exclusions and the company cap. */
export class AudienceChoiceDto {
  /**
   * Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists
   * @example ['7c0f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d']
   */
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH, ids('segmentIds'))
  @IsString(ids('segmentIds'))
  @ArrayMaxSize(MAX_IDS, { message: `At most ${MAX_IDS} segments can be chosen` })
  @IsArray({ message: 'segmentIds must be ids' })
  segmentIds?: string[];

  /**
   * Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list
   * @example []
   */
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH, ids('excludeListIds'))
  @IsString(ids('excludeListIds'))
  @ArrayMaxSize(MAX_IDS, { message: `At most ${MAX_IDS} lists can be left out` })
  @IsArray({ message: 'excludeListIds must be ids' })
  excludeListIds?: string[];

  /**
   * Ids of segments whose members are left out; at most 100
   * @example []
   */
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH, ids('excludeSegmentIds'))
  @IsString(ids('excludeSegmentIds'))
  @ArrayMaxSize(MAX_IDS, { message: `At most ${MAX_IDS} segments can be left out` })
  @IsArray({ message: 'excludeSegmentIds must be ids' })
  excludeSegmentIds?: string[];

  /**
   * Addresses and domains that are left out of this email only, at most 500
   * @example ['client.example']
   */
  @IsOptional()
  @MaxLength(2_048, { each: true, message: 'excludeAddresses must be addresses or domains' })
  @IsString({ each: true, message: 'excludeAddresses must be addresses or domains' })
  @ArrayMaxSize(MAX_EXCLUDED_ADDRESSES, {
    message: `At most ${MAX_EXCLUDED_ADDRESSES} addresses and domains can be left out`,
  })
  @IsArray({ message: 'excludeAddresses must be addresses or domains' })
  excludeAddresses?: string[];

  /** Cap on the number of people at one company; absent or null means no cap */
  @ApiProperty({ type: PerCompanyDto, required: false, nullable: true })
  @IsOptional()
  @ValidateNested()
  @IsObject({ message: CAP_RULE })
  @Type(() => PerCompanyDto)
  perCompany?: PerCompanyDto | null;
}

/** An audience choice as it is stored with a draft. */
export interface DraftAudience {
  segmentIds: string[];
  excludeListIds: string[];
  excludeSegmentIds: string[];
  excludeAddresses: string[];
  perCompany: { max: number; prefer: CompanyPreference } | null;
  /** Names of segments of the copied send that no longer exist. */
  goneSegments?: string[];
}

const distinctIds = (given: readonly string[] | undefined): string[] => [
  ...new Set((given ?? []).map((id) => id.toLowerCase())),
];

/**
 * Reads the audience choice of a request.
 * @returns null if the request names lists only
 */
export function audienceOf(given: AudienceChoiceDto): DraftAudience | null {
  const audience: DraftAudience = {
    segmentIds: distinctIds(given.segmentIds),
    excludeListIds: distinctIds(given.excludeListIds),
    excludeSegmentIds: distinctIds(given.excludeSegmentIds),
    excludeAddresses: [...new Set((given.excludeAddresses ?? []).map((text) => text.trim()).filter(Boolean))],
    perCompany: given.perCompany
      ? { max: given.perCompany.max, prefer: given.perCompany.prefer ?? 'least_recently_mailed' }
      : null,
  };
  const { perCompany, ...named } = audience;
  return perCompany || Object.values(named).some((one) => one.length > 0) ? audience : null;
}
