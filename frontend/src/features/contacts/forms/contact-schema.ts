import { z } from 'zod';
import { optionalText, texts } from '../../../lib/zod-texts';

/** An address with one @ that is not blank: the server knows the rest (international domains, odd local parts). */
export const contactSchema = z.object({
  email: z.string().trim().max(254, texts.email).regex(/^[^\s@]+@[^\s@]+$/u, texts.email),
  name: optionalText(200),
});

export type ContactValues = z.infer<typeof contactSchema>;
