import type { FieldDefinition } from '../../../contacts/index.js';
import type { ImportColumn } from '../../entities/contact-import.values.js';
import { guessColumns } from '../judging/column-guess.js';
import type { RememberedMapping } from '../judging/remembered-mapping.js';
import type { ImportRecord, RecordSource } from '../reading/record-source.js';
import { surveySheet } from '../reading/survey.js';

/** Targets of the columns of a file, and whether its first row is a header. */
export interface ColumnSurvey {
  hasHeader: boolean;
  columns: ImportColumn[];
}

interface SurveyOptions {
  /** The user's choice; by default detected from the cells. */
  hasHeader?: boolean;
  fields: readonly FieldDefinition[];
  remembered: (header: readonly string[]) => Promise<RememberedMapping | null>;
}

/** Determines header and columns from a file's first records. */
export async function surveyColumns(
  records: readonly ImportRecord[],
  { hasHeader, fields, remembered }: SurveyOptions,
): Promise<ColumnSurvey> {
  const survey = await surveySheet(sourceOf(records), { hasHeader });
  const guesses = await guessColumns(survey, fields, survey.hasHeader ? await remembered(survey.header) : null);
  return {
    hasHeader: survey.hasHeader,
    columns: survey.header.map((header, column) => ({
      header,
      samples: survey.samples[column] ?? [],
      target: guesses[column]?.target ?? 'ignore',
      from: guesses[column]?.from ?? null,
    })),
  };
}

/**
 * `surveyColumns` for a direct import, whose columns the user does not map. Unless the file has a header row and a
 * column of addresses, every row counts as data: the first cell is the address, and the other cells together are the
 * name.
 * @param mayHaveHeader false for typed lines, which never have a header
 */
export async function surveyDirect(
  records: readonly ImportRecord[],
  options: SurveyOptions,
  mayHaveHeader: boolean,
): Promise<ColumnSurvey> {
  const found = await surveyColumns(records, { ...options, ...(!mayHaveHeader && { hasHeader: false }) });
  if (found.hasHeader && found.columns.some(({ target }) => target === 'email')) return found;
  const { columns } = await surveyColumns(records.map(asLine), { ...options, hasHeader: false });
  return {
    hasHeader: false,
    columns: columns
      .slice(0, 2)
      .map((column, at) => ({ ...column, target: at === 0 ? 'email' : 'name', from: 'guessed' })),
  };
}

/** Joins all cells after the address into the name, for a record of a file without a header. */
export const asLine = (record: ImportRecord): ImportRecord => {
  const [email = '', ...others] = record.cells;
  return { ...record, cells: [email, others.filter(Boolean).join(', ')] };
};

const sourceOf = (records: readonly ImportRecord[]): RecordSource => ({
  kind: 'csv',
  encoding: null,
  delimiter: ',',
  sheets: [],
  uses1904: false,
  records: async function* () {
    yield [...records];
  },
  progress: () => ({ done: 0, total: 0 }),
  close: async () => undefined,
});
