import { z } from 'zod';
import { EMAIL, texts } from './texts';

export { texts };

const limitedText = (max: number) => z.string().trim().max(max, texts.tooLong(max));

export const emailField = z.string().trim().max(254, texts.email).regex(EMAIL, texts.email);
export const newPasswordField = z.string().min(8, texts.passwordShort).max(256, texts.passwordLong);
export const currentPasswordField = z.string().min(1, texts.passwordMissing);
export const firstNameField = limitedText(100).min(1, texts.firstName);
export const lastNameField = limitedText(100).min(1, texts.lastName);
export const optionalText = (max: number) => limitedText(max);

/** An optional https address, empty allowed. */
export const logoField = limitedText(2048).refine(
  (value) => value === '' || /^https:\/\/\S[^\s.]*\.\S+$/i.test(value),
  texts.logoUrl,
);

/** For `refine` of a form that asks for a new password twice. */
export const passwordsDiffer = { path: ['confirmPassword'], message: texts.passwordsDiffer };

/** An empty optional text becomes undefined. */
export const orAbsent = (value: string | undefined): string | undefined => value?.trim() || undefined;
