import { Transform } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { AbsentIfEmpty } from '../../../shared/http/requests/text.decorators.js';
import { ROLES, type Role } from '../../../shared/enums.js';
import { LineField, NameField, TimeZoneField } from '../fields.js';

/** A new role. */
export class ChangeRoleDto {
  /**
   * Recruiters send job posts; bench-sales staff send candidate lists
   * @example "bench-sales"
   */
  @IsIn(ROLES, { message: 'Please select a role' })
  role: Role;
}

/** A new name. */
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

/** A new agency or time zone. Absent fields keep their values. */
export class ChangeSettingsDto {
  /**
   * The user's agency; an empty text or null clears it
   * @example "Acme Staffing"
   */
  @ApiPropertyOptional({ type: String, nullable: true })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() || null : value))
  @ValidateIf((_dto, value) => value !== undefined && value !== null)
  @LineField(200)
  agencyName?: string | null;

  /**
   * IANA time zone in which the user's day begins and ends
   * @example "America/New_York"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @TimeZoneField()
  timeZone?: string;
}
