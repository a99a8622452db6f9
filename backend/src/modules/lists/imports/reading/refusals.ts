import { AppError } from '../../../../shared/errors/app-error.js';
import type { ReadingLimits } from './record-source.js';

const REMEDY = 'Save it as .xlsx or CSV.';

/** File formats that are not read, and what the user is told about them. */
const UNREAD = {
  old_excel: 'Old Excel files (.xls) and files with a password cannot be read.',
  no_workbook: 'This file is not an Excel workbook.',
  binary: 'This file type cannot be read.',
  damaged: 'This file is damaged, or is not a workbook that Excel wrote.',
} as const;
export type UnreadKind = keyof typeof UNREAD;

/** Error for a file in a format that is not read. */
export const fileType = (kind: UnreadKind): AppError => new AppError('file_type', 400, `${UNREAD[kind]} ${REMEDY}`);

/** Error for a file that exceeds the limits of the reader. */
export const fileTooLarge = (what: 'unpacked' | 'rows' | 'columns', { rows, columns }: ReadingLimits): AppError =>
  new AppError(
    'file_too_large',
    400,
    what === 'unpacked'
      ? 'This file unpacks to more than we read.'
      : what === 'rows'
        ? `This file has more than ${rows.toLocaleString('en-US')} rows. Please split it into smaller files.`
        : `The first row has more than ${columns} columns. Please leave only the columns that you need.`,
  );
