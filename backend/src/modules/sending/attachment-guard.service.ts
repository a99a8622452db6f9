import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { attachmentTooLarge } from './sending.errors.js';
import { MB } from '../../shared/text/bytes.js';

/**
 * Limits the total size of a message's attached files, and that size multiplied by the number of recipients, because
 * every message contains the files.
 */
@Injectable()
export class AttachmentGuard {
  constructor(private readonly settings: Settings) {}

  /** Maximum total size in bytes of the files attached to a message for this many recipients. */
  mostBytes(recipients: number): number {
    const { attachmentMaxMb, attachmentBudgetMb } = this.settings;
    const most = attachmentMaxMb * MB;
    return recipients > 0 ? Math.min(most, Math.floor((attachmentBudgetMb * MB) / recipients)) : most;
  }

  /**
   * @param bytes total size of all attached files; 0: there are none
   * @param recipients number of recipients; 0: they are not counted yet
   * @throws 400 `attachment_too_large`
   */
  assert(bytes: number, recipients: number): void {
    if (bytes > 0 && bytes > this.mostBytes(recipients)) throw this.refusal(bytes);
  }

  /** The error for attached files that are too large. Its text depends on their total size. */
  refusal(bytes: number): Error {
    const { attachmentMaxMb, attachmentBudgetMb } = this.settings;
    const reaches = bytes > attachmentMaxMb * MB ? null : Math.floor((attachmentBudgetMb * MB) / bytes);
    return attachmentTooLarge(attachmentMaxMb, reaches);
  }
}
