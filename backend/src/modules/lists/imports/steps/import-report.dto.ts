import { ApiProperty } from '@nestjs/swagger';
import { VERDICTS, type Verdict } from '../../entities/contact-import-staging.entity.js';
import { type GroupCode, MARKS, REFUSED_BY_CONTENT, REFUSED_BY_DATA } from '../judging/groups.js';

export const GROUP_CODES = [...new Set<GroupCode>([...REFUSED_BY_CONTENT, ...REFUSED_BY_DATA, ...MARKS])];

/** Lines of one kind. */
export class ImportGroupDto {
  /** What they have in common */
  @ApiProperty({ enum: GROUP_CODES, example: 'invalid' })
  code: GroupCode;

  /**
   * How many
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
   * As it is
   * @example 'gmial.com'
   */
  from: string;

  /**
   * What it may be meant to be
   * @example 'gmail.com'
   */
  to: string;

  /**
   * Lines with it
   * @example 38
   */
  rows: number;
}

/** What could not be looked up. */
export class ImportUncheckedDto {
  /**
   * Domains
   * @example 0
   */
  domains: number;

  /**
   * People at them; they go in
   * @example 0
   */
  people: number;
}

/** What a check found; nothing was changed. */
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
   * People who are as the file says
   * @example 90
   */
  unchanged: number;

  /**
   * Lines that would be left out
   * @example 1696
   */
  leftOut: number;

  /** Lines that are left out, and those that go in with a remark, by kind */
  groups: ImportGroupDto[];

  /** Company domains of most people */
  domains: ImportDomainDto[];

  /** Domains that look mistyped */
  typos: ImportTypoDto[];

  /** Domains of which it is not known whether they take mail: DNS gave no answer in time, or a file has many below one domain */
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

  /** What would happen */
  @ApiProperty({ enum: VERDICTS, example: 'new' })
  verdict: Verdict;

  /** Why it is left out, or what is remarkable */
  @ApiProperty({ enum: GROUP_CODES, isArray: true, example: ['mistyped'] })
  codes: GroupCode[];

  /** The first of these in words; null: none */
  @ApiProperty({ type: String, nullable: true, example: 'Looks mistyped' })
  reason: string | null;

  /** The address that may be meant */
  @ApiProperty({ type: String, nullable: true, example: 'sam@gmail.com' })
  suggestion: string | null;

  /**
   * Headings of the columns whose value did not fit
   * @example []
   */
  misfits: string[];

  /**
   * The row as it was
   * @example ['sam@gmial.com', 'Sam Lee', 'Acme']
   */
  cells: string[];

  /**
   * Whether its address was corrected here
   * @example false
   */
  isCorrected: boolean;
}
