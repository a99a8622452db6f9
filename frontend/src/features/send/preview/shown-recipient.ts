import type { RenderedRecipientDto } from '../../../api/endpoints.gen';

/** The recipient whose copy the preview shows. */
export type ShownRecipient = Pick<RenderedRecipientDto, 'contactId' | 'email' | 'name'>;
