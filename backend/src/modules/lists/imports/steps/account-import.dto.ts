import { ApiProperty } from '@nestjs/swagger';
import { EXISTING_CHOICES, type ExistingChoice } from '../../entities/contact-import.values.js';
import type { ColumnTarget } from '../judging/targets.js';
import { ROLE_CHOICES, TARGETS } from './import-request.dto.js';
import { ImportReportDto } from './import-report.dto.js';
import { AccountImportDto } from './import-summary.dto.js';

/** A sheet of a workbook. */
export class ImportSheetDto {
  /**
   * Position of the sheet in the workbook, from 0
   * @example 0
   */
  index: number;

  /**
   * Name of the sheet
   * @example 'Vendors'
   */
  name: string;
}

/** A column of the file. */
export class ImportColumnDto {
  /**
   * Position of the column, from 0
   * @example 0
   */
  index: number;

  /**
   * Heading of the column, or `Column 1`
   * @example 'E-mail'
   */
  header: string;

  /**
   * The column's first values, at most three
   * @example ['bea@x.example']
   */
  samples: string[];

  /** Target of the column */
  @ApiProperty({ type: String, example: 'email', description: TARGETS })
  target: ColumnTarget;

  /**
   * Origin of the target: guessed, remembered from an earlier file, or chosen by the user; null if the column has no
   * target and is not imported
   */
  @ApiProperty({ enum: ['guessed', 'remembered', 'chosen'], nullable: true, example: 'guessed' })
  from: 'guessed' | 'remembered' | 'chosen' | null;
}

/** Choices for an import. */
export class ImportOptionsDto {
  /** List that the people are put on; null for none */
  @ApiProperty({ type: String, nullable: true, example: '8a3c1d52-9f3b-4d0e-a3d5-7f6f3b6f2f11' })
  listId: string | null;

  /**
   * Names of tags that every imported person gets
   * @example ['Texas']
   */
  tags: string[];

  /** What happens to the data of people whom the account already knows */
  @ApiProperty({ enum: EXISTING_CHOICES, example: 'fill' })
  existing: ExistingChoice;

  /** Whether role addresses such as jobs@ are imported */
  @ApiProperty({ enum: ROLE_CHOICES, example: 'keep' })
  roles: 'keep' | 'drop';

  /** Statement of where and how these people agreed */
  @ApiProperty({ type: String, nullable: true, example: null })
  attestation: string | null;
}

/** An import with all that its screens show. */
export class AccountImportDetailDto extends AccountImportDto {
  /** Encoding of the text; null for a workbook, and until the file is read */
  @ApiProperty({ type: String, nullable: true, example: 'utf8' })
  encoding: string | null;

  /** Visible sheets of a workbook */
  sheets: ImportSheetDto[];

  /** Index of the sheet that is read; null if the file is no workbook */
  @ApiProperty({ type: Number, nullable: true, example: 0 })
  sheet: number | null;

  /**
   * Whether the first row names the columns
   * @example true
   */
  hasHeader: boolean;

  /**
   * Number of records in the file, without its header
   * @example 40000
   */
  lines: number;

  /** The columns; empty until the file is read */
  columns: ImportColumnDto[];

  /** The chosen options */
  options: ImportOptionsDto;

  /** What the check found; null until it has ended */
  @ApiProperty({ type: ImportReportDto, nullable: true })
  report: ImportReportDto | null;
}
