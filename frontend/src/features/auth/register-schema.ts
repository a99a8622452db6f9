import { z } from 'zod';
import {
  emailField,
  firstNameField,
  lastNameField,
  newPasswordField,
  optionalText,
  passwordsDiffer,
  texts,
} from '../../lib/zod-texts';
import { roles } from '../../lib/roles';

/** What the registration form asks for. */
export const registerSchema = z
  .object({
    firstName: firstNameField,
    lastName: lastNameField,
    email: emailField,
    role: z.enum([...roles, '']).refine((role) => Boolean(role), texts.role),
    agencyName: optionalText(200),
    password: newPasswordField,
    confirmPassword: z.string(),
  })
  .refine((values) => values.password === values.confirmPassword, passwordsDiffer);

export type RegisterValues = z.infer<typeof registerSchema>;

export const emptyRegistration: RegisterValues = {
  firstName: '',
  lastName: '',
  email: '',
  role: '',
  agencyName: '',
  password: '',
  confirmPassword: '',
};
