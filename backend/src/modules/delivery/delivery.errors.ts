import { AppError, conflict, forbidden, notFound } from '../../shared/errors/app-error.js';

export const unverified = () => forbidden('Verify your email address before you send', 'email_unverified');
export const unknownSend = () => notFound('Email not found');
export const sendHasEnded = (cancelled: boolean) =>
  conflict(
    cancelled ? 'send_cancelled' : 'send_ended',
    cancelled ? 'This send was cancelled' : 'This send has ended already',
  );
export const attachmentLost = () =>
  new AppError('file_gone', 410, 'An attached file is no longer stored. Upload the same file again, then retry');
