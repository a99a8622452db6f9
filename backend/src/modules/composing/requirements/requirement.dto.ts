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

/** A requirement as it was mailed. */
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
  /** The part; a part with several values may have several places */
  @ApiProperty({ enum: JOB_FIELDS, example: 'title' })
  field: JobField;

  /** sure: need not be looked at; check: please check */
  @ApiProperty({ enum: CONFIDENCES, example: 'sure' })
  confidence: Confidence;

  /**
   * First character
   * @example 6
   */
  @ApiProperty({ type: 'integer', example: 6 })
  from: number;

  /**
   * After the last character
   * @example 23
   */
  @ApiProperty({ type: 'integer', example: 23 })
  to: number;
}

/** A part of the text that no field took. */
export class LeftOutTextDto {
  /** What it is */
  @ApiProperty({ enum: LEFT_OUT_KINDS, example: 'phone' })
  kind: LeftOutKind;

  /**
   * First character
   * @example 240
   */
  @ApiProperty({ type: 'integer', example: 240 })
  from: number;

  /**
   * After the last character
   * @example 254
   */
  @ApiProperty({ type: 'integer', example: 254 })
  to: number;
}

/** What of the text is in no field. */
export class RequirementLeftOutDto {
  /**
   * E-mail addresses, each once
   * @example 1
   */
  @ApiProperty({ type: 'integer', example: 1 })
  emails: number;

  /**
   * Phone numbers, each once
   * @example 2
   */
  @ApiProperty({ type: 'integer', example: 2 })
  phones: number;

  /**
   * Whether there was a signature
   * @example true
   */
  signature: boolean;

  /**
   * Whether there was a disclaimer
   * @example true
   */
  disclaimer: boolean;

  /** The same in the order of the text */
  @ApiProperty({ type: [LeftOutTextDto] })
  texts: LeftOutTextDto[];
}

/** A requirement that was found in the text. */
export class RequirementDto {
  /** What was read; unknown parts are absent or empty, never invented */
  @ApiProperty({ type: JobDto })
  job: JobDto;

  /** Where each part was read, and how sure it is */
  @ApiProperty({ type: [GuessDto] })
  guesses: GuessDto[];

  /** What was left out */
  @ApiProperty({ type: RequirementLeftOutDto })
  leftOut: RequirementLeftOutDto;

  /**
   * How the job names its hidden client; the post says "our client" instead
   * @example ['Riverbank Insurance', 'Riverbank']
   */
  hiddenNames: string[];

  /**
   * Subject for the post; empty where there is nothing to say
   * @example 'Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C | 12+ months'
   */
  subject: string;
}

/** A job to be posted. */
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
   * Subject; parts that are unknown drop out
   * @example 'Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C | 12+ months'
   */
  subject: string;

  /** The facts as a table, then the description; who hires is named only if `isClientHidden` is false */
  @ApiProperty({ type: DocumentDto })
  document: DocumentDto;

  /**
   * How the job names its hidden client; the post says "our client" instead. Empty where `isClientHidden` is false
   * @example ['Riverbank Insurance', 'Riverbank']
   */
  hiddenNames: string[];
}
