import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { ROLES, type Role } from '../../../shared/words/role.js';

const flag = (name: string) => Transform(({ obj }: { obj: Record<string, unknown> }) => (obj[name] === 'true' ? true : obj[name] === 'false' ? false : obj[name]));

/** Which accounts are asked for; `search` looks into address, names and agency. */
export class AdminUserQuery extends PageQuery {
  /**
   * Only admins, or only others
   * @example true
   */
  @IsOptional()
  @flag('isAdmin')
  @IsBoolean()
  isAdmin?: boolean;

  /**
   * Only verified ones, or only others
   * @example true
   */
  @IsOptional()
  @flag('isVerified')
  @IsBoolean()
  isVerified?: boolean;

  /**
   * Only suspended ones, or only others
   * @example false
   */
  @IsOptional()
  @flag('suspended')
  @IsBoolean()
  suspended?: boolean;

  /** Only people in this role */
  @ApiProperty({ enum: ROLES, required: false, example: 'recruiter' })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role;
}
