import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../shared/words/role.js';

/** Who waits for verification. */
export class PendingPersonDto {
  /**
   * The user's id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /**
   * First name
   * @example 'Ann'
   */
  firstName: string;

  /**
   * Last name
   * @example 'Kumar'
   */
  lastName: string;

  /** What the person does */
  @ApiProperty({ enum: ROLES, example: 'recruiter' })
  role: Role;

  /**
   * The plan in force
   * @example 'free'
   */
  tier: string;

  /**
   * When the account was made
   * @example '2025-01-05T10:00:00.000Z'
   */
  createdAt: string;
}

/** With what the person signs in. */
export class PendingCredentialDto {
  /**
   * The address that is not proved yet
   * @example 'ann@acme-staffing.com'
   */
  email: string;
}

/** An account that nobody has verified yet. */
export class PendingUserDto {
  /** Who */
  user: PendingPersonDto;

  /** How the person signs in */
  credential: PendingCredentialDto;
}
