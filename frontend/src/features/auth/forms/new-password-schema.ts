import { z } from 'zod';
import { newPasswordField, texts } from '../../../lib/zod-texts';

/** A new password, typed twice. */
export const newPasswordSchema = z
  .object({ password: newPasswordField, confirmPassword: z.string() })
  .refine((values) => values.password === values.confirmPassword, { path: ['confirmPassword'], message: texts.passwordsDiffer });
