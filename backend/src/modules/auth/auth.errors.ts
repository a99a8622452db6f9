import { AppError, conflict, forbidden, unauthorized } from '../../shared/errors/app-error.js';

export const wrongCredentials = () => unauthorized('Invalid email or password');
export const notSignedIn = () => unauthorized('You are not signed in');
export const adminsOnlyHere = () => forbidden('Only admins may do this');
export const suspended = () => forbidden('This account is suspended. Please contact support.', 'suspended');
export const emailTaken = () => conflict('email_taken', 'An account with this email already exists');
export const verificationFailed = () => new AppError('token_invalid', 400, 'Verification failed. The link may be expired or invalid.');
export const disownFailed = () => new AppError('token_invalid', 400, 'This link is no longer valid. There is nothing left to remove.');
export const tooBusy = () => new AppError('unavailable', 503, 'Too many people are signing in. Please try again.', { headers: { 'Retry-After': '2' } });
