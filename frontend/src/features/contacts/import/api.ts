import { client } from '../../../api/client';
import { plural } from '../../../lib/format';
import type {
  UpdateImportDto,
  AccountImportDetailDto,
  AccountImportDto,
  ImportLineDto,
} from '../../../api/endpoints.gen';

export type Import = AccountImportDetailDto;
export type ImportSummary = AccountImportDto;
export type ImportLine = ImportLineDto;
export type ImportChange = UpdateImportDto;
export type ImportColumn = Import['columns'][number];
export type GroupCode = ImportLine['codes'][number];
export type Report = NonNullable<Import['report']>;

/** Defined here because the generated call takes pasted text only; a file is uploaded as a form. */
const files = client.injectEndpoints({
  endpoints: (build) => ({
    uploadContactImport: build.mutation<{ id: string }, { file: File }>({
      query: ({ file }) => {
        const body = new FormData();
        body.set('file', file);
        return { url: '/api/imports', method: 'POST', body };
      },
      invalidatesTags: (_result, error) => (error ? [] : ['Imports']),
    }),
  }),
});

/** Starts an import of a file or of pasted text. @returns its id */
export function useStart() {
  const [paste] = client.useCreateImportMutation();
  const [upload] = files.useUploadContactImportMutation();
  return async (source: { text: string } | { file: File }): Promise<string> => {
    const started = await ('file' in source
      ? upload({ file: source.file }).unwrap()
      : paste({ pastedTextDto: { text: source.text } }).unwrap());
    return started.id;
  };
}

export const rejectedUrl = (id: string) => `/api/imports/${encodeURIComponent(id)}/rejected.csv`;

export const messages = {
  loadFailed: 'The import could not be loaded.',
  recentFailed: 'Your imports could not be loaded.',
  linesFailed: 'The lines could not be loaded.',
  startFailed: 'The import could not be started',
  checkFailed: 'The check could not be started',
  changeFailed: 'Not saved',
  tryAgain: 'Please try again.',
  unfinished: 'You have an unfinished import.',
  noEmail: 'No column looks like an email address. Choose it.',
  nothingYet: 'Nothing has been imported yet.',
  overwritten:
    'Values that this import wrote over others are not restored: contacts that you had before keep what they have now.',
} as const;

/** Name of an import: its file, or that the text was pasted. */
export const nameOf = ({ fileName }: Pick<ImportSummary, 'fileName'>): string => fileName ?? 'Pasted rows';

/** How many people Undo deleted, and how many it only took off the list because they were contacts before. */
export function undoneText({ removed, takenOff }: NonNullable<ImportSummary['result']>): string {
  const known = takenOff > 0 ? `, ${plural(takenOff, 'contact')} you had before taken off the list` : '';
  return `Undone: ${plural(removed, 'contact')} removed${known}`;
}

/** The steps of an import in their order. */
export const STEPS = ['Read', 'Columns', 'Check', 'Import'] as const;
export type Step = (typeof STEPS)[number];

/** The step at which an import is. */
export function stepOf({ status, stage }: Pick<ImportSummary, 'status' | 'stage'>): Step {
  switch (status) {
    case 'uploading':
    case 'reading':
      return 'Read';
    case 'mapping':
      return 'Columns';
    case 'checking':
    case 'ready':
      return 'Check';
    case 'running':
    case 'done':
    case 'undone':
      return 'Import';
    default:
      return stage === 'read' || stage === null ? 'Read' : stage === 'check' ? 'Check' : 'Import';
  }
}

const UNFINISHED_STATUSES: readonly ImportSummary['status'][] = [
  'uploading',
  'reading',
  'mapping',
  'checking',
  'ready',
];
export const isUnfinished = ({ status }: Pick<ImportSummary, 'status'>) => UNFINISHED_STATUSES.includes(status);

/** Groups of lines in the order in which they are shown, with what happens to them. */
export const GROUPS: readonly { code: GroupCode; title: string }[] = [
  { code: 'invalid', title: 'Not an email address' },
  { code: 'unreadable', title: 'Line too long or with too many columns' },
  { code: 'duplicate', title: 'Twice in this file' },
  { code: 'suppressed', title: 'Unsubscribed or bounced before' },
  { code: 'disposable', title: 'Disposable address' },
  { code: 'no_domain', title: 'Domain does not exist' },
  { code: 'list_address', title: 'Mailing list or no-reply address' },
  { code: 'limit', title: 'Over the limit of your plan' },
  { code: 'dropped', title: 'Domains that you left out' },
  { code: 'role', title: 'Role address (jobs@, hr@)' },
  { code: 'mistyped', title: 'Looks mistyped' },
  { code: 'misfit', title: 'Value does not fit its column' },
  { code: 'do_not_send', title: 'On your do-not-send list' },
];

/** Groups whose lines are always left out. */
export const LEFT_OUT_GROUPS: ReadonlySet<GroupCode> = new Set<GroupCode>([
  'invalid',
  'unreadable',
  'duplicate',
  'suppressed',
  'disposable',
  'no_domain',
  'list_address',
  'limit',
  'dropped',
]);
