/** Texts about the files of an email. */
export const fileMessages = {
  tooMany: 'You can add up to 10 files to an email.',
  twice: 'This file is in the email already.',
  uploadFailed: 'The file could not be uploaded. Please try again.',
  deleted: 'This file was deleted. Remove it or choose another.',
  takenDown: 'This file was taken down. Remove it or choose another.',
  infected: 'Refused: contains a virus',
  failed: 'This file could not be loaded.',
  block: 'Files not linked in the text are listed above the signature:',
  none: 'No files yet. Add a resume to an email and it is kept here.',
  noMatch: 'No files found matching your search',
  listFailed: 'Your files could not be loaded.',
} as const;
