import { ApiProperty } from '@nestjs/swagger';
import { VERDICTS, type Verdict } from '../../entities/contact-import-staging.entity.js';
import { type GroupCode, MARKS, REFUSED_BY_CONTENT, REFUSED_BY_DATA } from '../judging/groups.js';

export const GROUP_CODES = [...new Set<GroupCode>([...REFUSED_BY_CONTENT, ...REFUSED_BY_DATA, ...MARKS])];

/** Number of lines with one reason or mark. */
export class ImportGroupDto {
  /** Reason for leaving the lines out, or their mark */
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
   * Number of people at the domain
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
   * Number of lines with the domain
   * @example 38
   */
  rows: number;
}

/** Domains that could not be looked up. */
export class ImportUncheckedDto {
  /**
   * Number of domains
   * @example 0
   */
  domains: number;

  /**
   * Number of people at these domains; they are imported
   * @example 0
   */
  people: number;
}

/** Result of a check, which changes nothing. */
export class ImportReportDto {
  /**
   * Number of people who would be new
   * @example 38000
   */
  new: number;

  /**
   * Number of people who would change, or join the list
   * @example 214
   */
  updated: number;

  /**
   * Number of people who would stay unchanged
   * @example 90
   */
  unchanged: number;

  /**
   * Number of lines that would be left out
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
   * Domains that could not be checked, because DNS gave no answer in time or the file has too many subdomains of one
   * domain
   */
  unchecked: ImportUncheckedDto;
}

/** A line of a checked import. */
export class ImportLineDto {
  /**
   * Number of the line in the file, from 1
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

  /** What the import would do with the line */
  @ApiProperty({ enum: VERDICTS, example: 'new' })
  verdict: Verdict;

  /** Why the line is left out, or its marks */
  @ApiProperty({ enum: GROUP_CODES, isArray: true, example: ['mistyped'] })
  codes: GroupCode[];

  /** The first of the codes as text; null if there is none */
  @ApiProperty({ type: String, nullable: true, example: 'Looks mistyped' })
  reason: string | null;

  /** The address that was probably intended */
  @ApiProperty({ type: String, nullable: true, example: 'sam@gmail.com' })
  suggestion: string | null;

  /**
   * Headings of the columns whose values did not fit
   * @example []
   */
  misfits: string[];

  /**
   * The row as it is in the file
   * @example ['sam@gmial.com', 'Sam Lee', 'Acme']
   */
  cells: string[];

  /**
   * Whether the user corrected the line's address
   * @example false
   */
  isCorrected: boolean;
}
