import { z } from 'zod';
import { emailField } from '../../../lib/zod-texts';

/** An address; the list decides what it gets. */
export const subscribeSchema = z.object({ email: emailField });
