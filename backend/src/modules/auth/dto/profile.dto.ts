import { IsIn } from 'class-validator';
import { ROLES, type Role } from '../../../shared/words/role.js';
import { NameField } from './fields.js';

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
