import { AppError, conflict, forbidden, invalid, notFound } from '../../shared/errors/app-error.js';

/** @param fault path in the document, and what is wrong there */
export const documentInvalid = (fault: string) =>
  new AppError('document_invalid', 400, `The message holds something that cannot be sent: ${fault}`, {
    details: [{ field: 'document', message: fault }],
  });
export const textTooLarge = () =>
  documentInvalid('document: too long for an email as plain text; make its tables smaller');
export const eitherContentOrDocument = () =>
  new AppError('validation_failed', 400, 'Send either content or document', {
    details: [{ field: 'document', message: 'Send either content or document' }],
  });
export const contentRequired = () =>
  new AppError('validation_failed', 400, 'Content is required', {
    details: [{ field: 'content', message: 'Content is required' }],
  });

export const unknownDraft = () => notFound('Draft not found');
export const unknownTemplate = () => notFound('Template not found');
export const unknownSource = () => notFound('Email not found');
export const unknownPicture = () => notFound('Picture not found');

export const tooManyDrafts = () => conflict('too_many', 'You have 200 drafts. Delete a draft first');
export const tooManyTemplates = () => conflict('too_many', 'You have 200 templates. Delete a template first');
export const tooManyPictures = (most: number) =>
  conflict('too_many', `You have ${most} pictures. Delete a picture first`);
/** @param where kind of the object that shows the picture */
export const pictureInUse = (where: 'send' | 'draft' | 'template' | 'profile' | 'scheduled') =>
  conflict(
    'picture_in_use',
    {
      send: 'An email that you sent shows this picture. It stays as long as the email is in your history',
      draft: 'A draft shows this picture. Take it out of the draft first',
      template: 'A template shows this picture. Take it out of the template first',
      profile: 'Your sender profile shows this picture. Take it out of your settings first',
      scheduled: 'A scheduled email shows this picture. Cancel that email or take it out first',
    }[where],
  );
export const templateNameTaken = () => conflict('template_name_taken', 'You have a template with this name');

/** The draft was sent, so it can no longer be changed. */
export const draftSent = (sendId: string, sentAt: Date) =>
  new AppError('draft_sent', 410, 'This draft was sent', {
    details: { sendId, sentAt: new Date(sentAt).toISOString() },
  });

/** The draft became a scheduled email; changes have to be made to that email. */
export const draftScheduled = (scheduledId: string, dueAt: Date) =>
  new AppError('draft_scheduled', 410, 'This draft is scheduled', {
    details: { scheduledId, dueAt: new Date(dueAt).toISOString() },
  });

/** The version that is stored, reported to a caller that tried to replace an older one. */
export interface StoredVersion {
  version: number;
  updatedAt: Date;
  device: string | null;
}
export const changedElsewhere = (
  what: 'draft' | 'template' | 'profile',
  { version, updatedAt, device }: StoredVersion,
) =>
  new AppError('draft_changed', 412, `This ${what} was changed elsewhere`, {
    details: { version, updatedAt: new Date(updatedAt).toISOString(), device },
    headers: { ETag: `"${version}"` },
  });

export const emailUnverified = () => forbidden('Verify your email address before you add files', 'email_unverified');
export const fileMissing = () => new AppError('bad_request', 400, 'Send a form with one part named file');
export const fileKindUnknown = () => invalid('kind', 'kind must be image or document');
export const fileUnreadable = () => invalid('file', 'This picture cannot be read');
export const pictureTooLarge = () => new AppError('file_too_large', 413, 'A picture has at most 2 MB');
export const fileTooLarge = (megabytes: number) =>
  new AppError('file_too_large', 413, `A file has at most ${megabytes} MB`);
export const pictureTypeRefused = () => new AppError('file_type_refused', 415, 'Send a PNG or JPEG picture');
export const fileTypeRefused = () =>
  new AppError('file_type_refused', 415, 'Send a PDF, Word (.docx), ODT or text file');
export const storageUsedUp = (megabytes: number) => forbidden(`Your ${megabytes} MB are used up`, 'plan_limit');
export const tooManyFiles = (most: number) => conflict('too_many', `You have ${most} files. Delete a file first`);
export const unknownFile = () => notFound('File not found');
export const unknownFileLink = () => notFound('This link is not valid');
export const fileNameMissing = () => invalid('name', 'Give the file a name');
/** A file that a scheduled email uses cannot be deleted, because the email would leave without it. */
export const fileScheduled = () => conflict('file_in_use', 'A scheduled email uses this file. Remove it there first');
/** A file can only replace another one while no email uses it. */
export const fileInUse = () => conflict('file_in_use', 'An email uses this file already. Upload another one');
/** A reported file cannot be replaced, because an admin has to see the bytes that were reported. */
export const fileReported = () =>
  conflict(
    'file_reported',
    'A reader reported this file, so it cannot be replaced. Send the new version as a new file',
  );
export const fileInfected = () => new AppError('file_infected', 422, 'This file contains a virus');
/** An admin took down a file with the same bytes. */
export const fileTakenDown = () =>
  new AppError('file_taken_down', 422, 'This file was taken down after a report. It cannot be uploaded again');
/** @param name name of the file, if it is known */
export const fileNotReady = (name?: string) =>
  conflict(
    'file_not_ready',
    name ? `${name} is still being checked. Try again in a minute` : 'This file is being checked',
  );
export const fileRefused = (name: string) =>
  new AppError('file_infected', 422, `${name} contains a virus and cannot be sent`);
export const fileDeleted = () =>
  new AppError('file_gone', 410, 'A file of this email was deleted. Take it out or add it again');
export const attachmentGone = () =>
  new AppError(
    'file_gone',
    410,
    'A file that is attached to this email was deleted or replaced since. Send it as a new email',
  );
/**
 * A reader's link no longer leads to a file.
 * @param sender the user whom the reader can ask; null if the account is closed or suspended
 */
export const fileGone = (sender: { senderName: string; senderEmail: string } | null) =>
  new AppError('file_gone', 410, 'This file is no longer available.', sender ? { details: { ...sender } } : {});
export const fileLinkRevoked = () => new AppError('file_gone', 410, 'This link was stopped for good');

export const unknownTester = () => notFound('Tester not found');
export const unknownTesterLink = () => notFound('This link is not valid');
export const testerLinkExpired = () =>
  new AppError('link_expired', 410, 'This link has expired. Ask to be added once more.');
export const tooManyTesters = () => conflict('too_many', 'You have 5 testers already');
export const verifyFirst = () => forbidden('Verify your email address first.', 'email_unverified');
export const invalidTester = () => invalid('address', 'Please enter a valid email address');
export const ownAddressAsTester = () => invalid('address', 'You can send tests to your own address without adding it');
