/** The words of the Library. */
export const messages = {
  noDrafts: 'No drafts. What you begin to write is kept here.',
  draftsFailed: 'Your drafts could not be loaded.',
  noDraftMatch: 'No drafts found matching your search',
  noTemplates: 'No templates of your own yet.',
  templatesFailed: 'Your templates could not be loaded.',
  noTemplateMatch: 'No templates found matching your search',
  templateFailed: 'This template could not be loaded.',
  templateChanged: 'This template was changed elsewhere',
  noFiles: 'No files yet. Pictures that you add to an email are kept here.',
  filesFailed: 'Your files could not be loaded.',
  deleteFile: 'Only a picture that no email, draft or template shows can be deleted. This action cannot be undone.',
  failed: 'That Did Not Work',
  tryAgain: 'Please try again.',
} as const;
