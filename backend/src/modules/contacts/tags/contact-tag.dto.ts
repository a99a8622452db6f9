import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IfPresent, RequiredText } from '../../../shared/http/requests/text.decorators.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';

const MISSING = 'Please enter a name';
const COLOUR = /^#[0-9a-f]{6}$/i;
const NO_COLOUR = 'The colour must be written as #rrggbb';

/** A tag. */
export class ContactTagDto {
  /**
   * The tag's id
   * @example 81377512
   */
  id: number;

  /**
   * Its name
   * @example 'Java'
   */
  name: string;

  /** Its colour; null: none */
  @ApiProperty({ type: String, nullable: true, example: '#1f6feb' })
  colour: string | null;
}

/** A new tag. */
export class CreateContactTagDto {
  /**
   * Its name
   * @example 'Java'
   */
  @RequiredText(CONTACT_LIMITS.tagName, MISSING)
  name: string;

  /** Its colour */
  @ApiPropertyOptional({ type: String, nullable: true, example: '#1f6feb' })
  @IsOptional()
  @Matches(COLOUR, { message: NO_COLOUR })
  @MaxLength(7)
  @IsString()
  colour?: string | null;
}

/** Changes of a tag. */
export class UpdateContactTagDto {
  /**
   * Its name
   * @example 'Java'
   */
  @IfPresent()
  @RequiredText(CONTACT_LIMITS.tagName, MISSING)
  name?: string;

  /** Its colour; null removes it */
  @ApiPropertyOptional({ type: String, nullable: true, example: '#1f6feb' })
  @IsOptional()
  @Matches(COLOUR, { message: NO_COLOUR })
  @MaxLength(7)
  @IsString()
  colour?: string | null;
}
