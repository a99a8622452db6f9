import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import type { RejectReason } from '../entities/contact-import-reject.entity.js';
import { OptionalText } from './fields.js';

/** Lines to import; a file goes as text/csv or as the part `file` of a form instead. */
export class ImportContactsDto {
  /**
   * `email` or `email, name`, one contact each
   * @example ['vendor@example.com', 'sam@example.com, Sam Vendor']
   */
  @IsString({ each: true })
  @ArrayMaxSize(200_000)
  @ArrayMinSize(1, { message: 'Please enter at least one email address' })
  @IsArray()
  lines: string[];

  /**
   * Where and how these people agreed; then an admin decides before confirmation mails go out
   * @example 'Clients of our agency since 2024, agreed by signed frame contract'
   */
  @OptionalText(2000, { multiline: true })
  attestation?: string | null;
}

/** An import that has been accepted. */
export class ImportStartedDto {
  /**
   * The job to follow
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;
}

/** A line that did not go in. */
export class RejectedRowDto {
  /**
   * Its number in the file, from 1
   * @example 17
   */
  line: number;

  /**
   * What stood there for an address
   * @example 'not-an-address'
   */
  email: string;

  /**
   * Why it did not go in
   * @example 'invalid'
   */
  reason: RejectReason;
}

/** An import as it runs, or as it ended. */
export class ImportDto {
  /**
   * The job
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * Where it stands
   * @example 'done'
   */
  status: 'queued' | 'running' | 'done' | 'failed';

  /**
   * Lines of the whole file; while it runs, an estimate from its size
   * @example 1000
   */
  total: number;

  /**
   * Lines that went in
   * @example 990
   */
  added: number;

  /**
   * Lines that did not
   * @example 10
   */
  skipped: number;

  /** Why it failed, for people; null unless it did */
  @ApiProperty({ type: String, nullable: true, example: 'The import stopped because of a fault on our side. What had gone in by then is on the list; importing the file again adds the rest.' })
  message: string | null;

  /** The first 100 lines that did not go in */
  rows: RejectedRowDto[];
}

/** An import that runs, or that ended a moment ago. */
export class RecentImportDto {
  /**
   * The job
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * The list that it fills
   * @example '8a3c1d52-9f3b-4d0e-a3d5-7f6f3b6f2f11'
   */
  listId: string;

  /**
   * Name of the list
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * Where it stands
   * @example 'running'
   */
  status: 'queued' | 'running' | 'done' | 'failed';

  /**
   * Lines of the whole file; while it runs, an estimate from its size
   * @example 1000
   */
  total: number;

  /**
   * Lines that went in
   * @example 990
   */
  added: number;

  /**
   * Lines that did not
   * @example 10
   */
  skipped: number;

  /** Why it failed, for people; null unless it did */
  @ApiProperty({ type: String, nullable: true, example: null })
  message: string | null;

  /** When it ended; null while it runs */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:05.000Z' })
  endedAt: string | null;
}
