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
   * Id of the tag
   * @example 81377512
   */
  id: number;

  /**
   * Name of the tag
   * @example 'Java'
   */
  name: string;

  /** Colour of the tag; null means none */
  @ApiProperty({ type: String, nullable: true, example: '#1f6feb' })
  colour: string | null;
}

/** A new tag. */
export class CreateContactTagDto {
  /**
   * Name of the tag
   * @example 'Java'
   */
  @RequiredText(CONTACT_LIMITS.tagName, MISSING)
  name: string;

  /** Colour of the tag */
  @ApiPropertyOptional({ type: String, nullable: true, example: '#1f6feb' })
  @IsOptional()
  @Matches(COLOUR, { message: NO_COLOUR })
  @MaxLength(7)
  @IsString()
  colour?: string | null;
}

/** Changes of a tag; absent parts stay unchanged. */
export class UpdateContactTagDto {
  /**
   * Name of the tag
   * @example 'Java'
   */
  @IfPresent()
  @RequiredText(CONTACT_LIMITS.tagName, MISSING)
  name?: string;

  /** Colour of the tag; null removes it */
  @ApiPropertyOptional({ type: String, nullable: true, example: '#1f6feb' })
  @IsOptional()
  @Matches(COLOUR, { message: NO_COLOUR })
  @MaxLength(7)
  @IsString()
  colour?: string | null;
}
