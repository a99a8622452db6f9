import type { RenderedRecipientDto } from '../../../api/endpoints.gen';

/** The recipient whose copy the preview shows. */
export type PreviewRecipient = Pick<RenderedRecipientDto, 'contactId' | 'email' | 'name'>;
