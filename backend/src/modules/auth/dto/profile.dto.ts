import { Transform } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { AbsentIfEmpty } from '../../../shared/http/text.decorators.js';
import { ROLES, type Role } from '../../../shared/words/role.js';
import { LineField, NameField, TimeZoneField } from './fields.js';

/** The role to take on. */
export class ChangeRoleDto {
  /**
   * Recruiters send job posts, bench-sales staff candidate lists
   * @example "bench-sales"
   */
  @IsIn(ROLES, { message: 'Please select a role' })
  role: Role;
}

/** The name to go by. */
export class ChangeNameDto {
  /**
   * First name
   * @example "Ann"
   */
  @NameField('First name is required')
  firstName: string;

  /**
   * Last name
   * @example "Kumar"
   */
  @NameField('Last name is required')
  lastName: string;
}

/** Agency and time zone: what is absent stays. */
export class ChangeSettingsDto {
  /**
   * Whom the person works for; an empty text or null clears it
   * @example "Acme Staffing"
   */
  @ApiPropertyOptional({ type: String, nullable: true })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() || null : value))
  @ValidateIf((_dto, value) => value !== undefined && value !== null)
  @LineField(200)
  agencyName?: string | null;

  /**
   * IANA zone in which the person's days are counted
   * @example "America/New_York"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @TimeZoneField()
  timeZone?: string;
}
