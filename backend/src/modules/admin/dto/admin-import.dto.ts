import { ApiProperty } from '@nestjs/swagger';
import { AttestedBatchDto } from '../../lists/index.js';

/** Who vouches for an import, and how that person has done so far. */
export class ImportOwnerDto {
  /**
   * The user's id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /**
   * The account's address
   * @example 'ann@acme-staffing.com'
   */
  email: string;

  /**
   * Full name
   * @example 'Ann Kumar'
   */
  name: string;

  /**
   * Whom the person works for
   * @example 'Acme Staffing'
   */
  @ApiProperty({ type: String, nullable: true })
  agencyName: string | null;

  /**
   * Since when the account is there
   * @example '2025-01-05T10:00:00.000Z'
   */
  memberSince: string;

  /**
   * Whether the account is suspended
   * @example false
   */
  suspended: boolean;

  /**
   * Imports of this person that were confirmed
   * @example 2
   */
  confirmedImports: number;

  /**
   * Imports of this person that were declined
   * @example 0
   */
  declinedImports: number;
}

/** An attested import with its owner's record. */
export class AdminImportDto extends AttestedBatchDto {
  /** Who vouches */
  owner: ImportOwnerDto;
}

/** What a confirmation reached. */
export class ImportConfirmedDto {
  /**
   * Contacts that are confirmed by it
   * @example 990
   */
  confirmed: number;
}

/** What a refusal reached. */
export class ImportDeclinedDto {
  /**
   * Contacts that get a confirmation mail now
   * @example 990
   */
  declined: number;
}
