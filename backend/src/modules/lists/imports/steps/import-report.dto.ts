import { ApiProperty } from '@nestjs/swagger';
import { VERDICTS, type Verdict } from '../../entities/contact-import-staging.entity.js';
import { type GroupCode, MARKS, REFUSED_BY_CONTENT, REFUSED_BY_DATA } from '../judging/groups.js';

export const GROUP_CODES = [...new Set<GroupCode>([...REFUSED_BY_CONTENT, ...REFUSED_BY_DATA, ...MARKS])];

/** Lines of one kind. */
export class ImportGroupDto {
  /** Their reason or mark */
  @ApiProperty({ enum: GROUP_CODES, example: 'invalid' })
  code: GroupCode;

  /**
   * Number of lines
   * @example 17
   */
  count: number;
}

/** A company domain with its people. */
export class ImportDomainDto {
  /**
   * The domain
   * @example 'acme.example'
   */
  domain: string;

  /**
   * People at it
   * @example 12
   */
  people: number;
}

/** A domain that looks mistyped. */
export class ImportTypoDto {
  /**
   * The domain in the file
   * @example 'gmial.com'
   */
  from: string;

  /**
   * The domain that was probably meant
   * @example 'gmail.com'
   */
  to: string;

  /**
   * Lines with it
   * @example 38
   */
  rows: number;
}

/** Domains that could not be looked up. */
export class ImportUncheckedDto {
  /**
   * Domains
   * @example 0
   */
  domains: number;

  /**
   * People at them; they are imported
   * @example 0
   */
  people: number;
}

/** Result of a check, which changes nothing. */
export class ImportReportDto {
  /**
   * People who would be new
   * @example 38000
   */
  new: number;

  /**
   * People who would change, or join the list
   * @example 214
   */
  updated: number;

  /**
   * People who would stay unchanged
   * @example 90
   */
  unchanged: number;

  /**
   * Lines that would be left out
   * @example 1696
   */
  leftOut: number;

  /** Lines that are left out, by reason, and lines that are imported with a mark, by mark */
  groups: ImportGroupDto[];

  /** Company domains with the most people */
  domains: ImportDomainDto[];

  /** Domains that look mistyped */
  typos: ImportTypoDto[];

  /**
   * Domains for which it is unknown whether they take mail: DNS gave no answer in time, or the file has many names
   * below one registrable domain
   */
  unchecked: ImportUncheckedDto;
}

/** A line of a checked import. */
export class ImportLineDto {
  /**
   * Its number in the file, from 1
   * @example 17
   */
  line: number;

  /**
   * The address as read
   * @example 'sam@gmial.com'
   */
  email: string;

  /** The person's name */
  @ApiProperty({ type: String, nullable: true, example: 'Sam Lee' })
  name: string | null;

  /** The company */
  @ApiProperty({ type: String, nullable: true, example: 'Acme' })
  company: string | null;

  /** What would happen to it */
  @ApiProperty({ enum: VERDICTS, example: 'new' })
  verdict: Verdict;

  /** Why it is left out, or its marks */
  @ApiProperty({ enum: GROUP_CODES, isArray: true, example: ['mistyped'] })
  codes: GroupCode[];

  /** The first of these in words; null: none */
  @ApiProperty({ type: String, nullable: true, example: 'Looks mistyped' })
  reason: string | null;

  /** The address that was probably meant */
  @ApiProperty({ type: String, nullable: true, example: 'sam@gmail.com' })
  suggestion: string | null;

  /**
   * Headings of the columns whose value did not fit
   * @example []
   */
  misfits: string[];

  /**
   * The row as it is in the file
   * @example ['sam@gmial.com', 'Sam Lee', 'Acme']
   */
  cells: string[];

  /**
   * Whether the user corrected its address
   * @example false
   */
  isCorrected: boolean;
}
