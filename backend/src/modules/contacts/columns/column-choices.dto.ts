import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, Matches } from 'class-validator';
import { CONTACT_LIMITS, PROFILE_COLUMNS } from '../contacts.constants.js';

const COLUMN = new RegExp(`^(?:${PROFILE_COLUMNS.join('|')}|field\\.[a-z][a-z0-9_]{0,39})$`);
const MAX_COLUMNS = PROFILE_COLUMNS.length + CONTACT_LIMITS.fields;

/** The columns that are shown besides the name, in their order. */
export class ContactColumnsDto {
  /** Names of parts of a contact, and `field.<key>` for custom fields; keys of deleted fields are ignored */
  @ApiProperty({ type: [String], example: ['company', 'tags', 'consent', 'field.tier'] })
  @IsArray()
  @ArrayMaxSize(MAX_COLUMNS)
  @ArrayUnique()
  @Matches(COLUMN, {
    each: true,
    message: `Each column must be one of ${PROFILE_COLUMNS.join(', ')} or field.<key>`,
  })
  columns: string[];
}
