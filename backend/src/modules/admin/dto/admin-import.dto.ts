import { ApiProperty } from '@nestjs/swagger';
import { AttestedBatchDto } from '../../lists/index.js';

/** The owner of an attested import, with their track record. */
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
   * The user's agency; null if none is given
   * @example 'Acme Staffing'
   */
  @ApiProperty({ type: String, nullable: true })
  agencyName: string | null;

  /**
   * When the account was created
   * @example '2025-01-05T10:00:00.000Z'
   */
  memberSince: string;

  /**
   * Whether the account is suspended
   * @example false
   */
  suspended: boolean;

  /**
   * Number of this user's imports that were confirmed
   * @example 2
   */
  confirmedImports: number;

  /**
   * Number of this user's imports that were declined
   * @example 0
   */
  declinedImports: number;
}

/** An attested import with its owner's track record. */
export class AdminImportDto extends AttestedBatchDto {
  /** The owner, who states that the people agreed */
  owner: ImportOwnerDto;
}

/** Result of confirming an import. */
export class ImportConfirmedDto {
  /**
   * Number of contacts that were confirmed
   * @example 990
   */
  confirmed: number;
}

/** Result of declining an import. */
export class ImportDeclinedDto {
  /**
   * Number of contacts that get a confirmation mail now
   * @example 990
   */
  declined: number;
}
