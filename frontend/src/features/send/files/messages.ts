/** The texts of the files of an email. */
export const fileMessages = {
  tooMany: 'At most 10 files can go with an email.',
  twice: 'This file is in the email already.',
  uploadFailed: 'The file could not be uploaded. Please try again.',
  deleted: 'This file was deleted. Remove it or choose another.',
  takenDown: 'This file was taken down. Remove it or choose another.',
  infected: 'Refused: contains a virus',
  failed: 'This file could not be loaded.',
  block: 'Files that are not placed in the text stand in a block above the signature:',
  none: 'No files yet. Add a resume to an email and it is kept here.',
  noMatch: 'No files found matching your search',
  listFailed: 'Your files could not be loaded.',
} as const;
