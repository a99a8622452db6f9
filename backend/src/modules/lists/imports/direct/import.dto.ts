import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Matches, MaxLength } from 'class-validator';
import type { RejectReason } from '../../entities/contact-import.values.js';
import { OptionalText } from '../../../../shared/http/requests/text.decorators.js';

/** Lines to import. Files are sent as text/csv or as the part `file` of a form instead. */
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
   * Statement of where and how these people agreed; an admin then decides before confirmation mails go out
   * @example 'Clients of our agency since 2024, agreed by signed frame contract'
   */
  @OptionalText(2000, { multiline: true })
  attestation?: string | null;
}

/** Text to import as it was pasted: rows, addresses, or the recipients of a mail. */
export class PastedTextDto {
  /**
   * Rows of a table, lines of `email` or `email, name`, or recipients as a mail program copies them
   * @example 'Lee, Bea <bea@x.example>; sam@x.example'
   */
  @Matches(/\S/, { message: 'Please paste at least one email address' })
  @MaxLength(4_000_000)
  @IsString()
  text: string;
}

/** An accepted import. */
export class ImportStartedDto {
  /**
   * Id of the import, with which its progress can be read
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;
}

/** A line that was not imported. */
export class RejectedRowDto {
  /**
   * Number of the line in the file, from 1
   * @example 17
   */
  line: number;

  /**
   * The address as given
   * @example 'not-an-address'
   */
  email: string;

  /**
   * Why the line was rejected
   * @example 'invalid'
   */
  reason: RejectReason;
}

/** Progress or result of an import. */
export class ImportDto {
  /**
   * The import's id
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * State of the import
   * @example 'done'
   */
  status: 'queued' | 'running' | 'done' | 'failed';

  /**
   * Number of lines in the file; while it is read, an estimate from its size
   * @example 1000
   */
  total: number;

  /**
   * Number of contacts added
   * @example 990
   */
  added: number;

  /**
   * Number of lines that were not imported
   * @example 10
   */
  skipped: number;

  /** Why the import failed; null unless it failed */
  @ApiProperty({
    type: String,
    nullable: true,
    example:
      'The import stopped because of a fault on our side. What had gone in by then is on the list; importing the file again adds the rest.',
  })
  message: string | null;

  /** The first 100 rejected lines */
  rows: RejectedRowDto[];
}

/** A running or just finished import. */
export class RecentImportDto {
  /**
   * The import's id
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * Id of the list that the import adds to
   * @example '8a3c1d52-9f3b-4d0e-a3d5-7f6f3b6f2f11'
   */
  listId: string;

  /**
   * Name of that list
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * State of the import
   * @example 'running'
   */
  status: 'queued' | 'running' | 'done' | 'failed';

  /**
   * Number of lines in the file; while it is read, an estimate from its size
   * @example 1000
   */
  total: number;

  /**
   * Number of contacts added
   * @example 990
   */
  added: number;

  /**
   * Number of lines that were not imported
   * @example 10
   */
  skipped: number;

  /** Why the import failed; null unless it failed */
  @ApiProperty({ type: String, nullable: true, example: null })
  message: string | null;

  /** When the import ended; null while it runs */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:05.000Z' })
  endedAt: string | null;
}
