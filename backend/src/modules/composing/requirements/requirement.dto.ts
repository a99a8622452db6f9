import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import { DocumentDto } from '../document/document.dto.js';
import { JobDto } from './job.dto.js';
import {
  CONFIDENCES,
  type Confidence,
  JOB_FIELDS,
  type JobField,
  LEFT_OUT_KINDS,
  type LeftOutKind,
} from './requirement.js';

export const MAX_CHARACTERS = 50_000;

/** A requirement as it was received by mail. */
export class ReadRequirementDto {
  /**
   * The text, at most 50,000 characters. It is neither stored nor logged
   * @example 'Role: Sr Java Developer\nLocation: Hartford, CT (hybrid)\nRate: $60/hr C2C'
   */
  @MaxLength(MAX_CHARACTERS, { message: 'At most 50,000 characters. Paste the requirement alone.' })
  @Matches(/\S/, { message: 'Paste the requirement as you got it' })
  @IsString({ message: 'Paste the requirement as you got it' })
  text: string;
}

/** Where a part of the job was read, in UTF-16 units of the text as it was sent. */
export class GuessDto {
  /** The part of the job; if it has several values, it may have several guesses */
  @ApiProperty({ enum: JOB_FIELDS, example: 'title' })
  field: JobField;

  /** sure: needs no review; check: the user should check it */
  @ApiProperty({ enum: CONFIDENCES, example: 'sure' })
  confidence: Confidence;

  /**
   * Offset of the first character
   * @example 6
   */
  @ApiProperty({ type: 'integer', example: 6 })
  from: number;

  /**
   * Offset after the last character
   * @example 23
   */
  @ApiProperty({ type: 'integer', example: 23 })
  to: number;
}

/** A part of the text that no field contains. */
export class LeftOutTextDto {
  /** Kind of the part */
  @ApiProperty({ enum: LEFT_OUT_KINDS, example: 'phone' })
  kind: LeftOutKind;

  /**
   * Offset of the first character
   * @example 240
   */
  @ApiProperty({ type: 'integer', example: 240 })
  from: number;

  /**
   * Offset after the last character
   * @example 254
   */
  @ApiProperty({ type: 'integer', example: 254 })
  to: number;
}

/** The parts of the text that no field contains. */
export class RequirementLeftOutDto {
  /**
   * Number of distinct email addresses
   * @example 1
   */
  @ApiProperty({ type: 'integer', example: 1 })
  emails: number;

  /**
   * Number of distinct phone numbers
   * @example 2
   */
  @ApiProperty({ type: 'integer', example: 2 })
  phones: number;

  /**
   * Whether the text had a signature
   * @example true
   */
  signature: boolean;

  /**
   * Whether the text had a disclaimer
   * @example true
   */
  disclaimer: boolean;

  /** The parts of the text that were left out, in the order of the text */
  @ApiProperty({ type: [LeftOutTextDto] })
  texts: LeftOutTextDto[];
}

/** A requirement that was found in the text. */
export class RequirementDto {
  /** The job as read; unknown parts are absent or empty, never invented */
  @ApiProperty({ type: JobDto })
  job: JobDto;

  /** Where each part was read, and how certain it is */
  @ApiProperty({ type: [GuessDto] })
  guesses: GuessDto[];

  /** The parts of the text that no field contains */
  @ApiProperty({ type: RequirementLeftOutDto })
  leftOut: RequirementLeftOutDto;

  /**
   * Names of the hidden client in the job; the post says "our client" instead
   * @example ['Riverbank Insurance', 'Riverbank']
   */
  hiddenNames: string[];

  /**
   * Subject of the post; empty if nothing is known
   * @example 'Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C | 12+ months'
   */
  subject: string;
}

/** The job for a post. */
export class ComposeRequirementDto {
  /** The job */
  @ApiProperty({ type: JobDto })
  @ValidateNested()
  @IsObject({ message: 'job must be a job' })
  @IsDefined({ message: 'job must be a job' })
  @Type(() => JobDto)
  job: JobDto;
}

/** A post. */
export class ComposedRequirementDto {
  /**
   * Subject; unknown parts are omitted
   * @example 'Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C | 12+ months'
   */
  subject: string;

  /** The facts as a table, then the description; the client is named only if `isClientHidden` is false */
  @ApiProperty({ type: DocumentDto })
  document: DocumentDto;

  /**
   * Names of the hidden client in the job; the post says "our client" instead. Empty if `isClientHidden` is false
   * @example ['Riverbank Insurance', 'Riverbank']
   */
  hiddenNames: string[];
}
