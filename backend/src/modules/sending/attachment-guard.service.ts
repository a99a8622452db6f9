import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { attachmentTooLarge } from './sending.errors.js';
import { MB } from '../../shared/text/bytes.js';

/**
 * Limits attached files by their total size, and by that size times the number of recipients, because every message
 * contains them.
 */
@Injectable()
export class AttachmentGuard {
  constructor(private readonly settings: Settings) {}

  /** Most bytes of all files that are attached to a message for this many recipients. */
  mostBytes(recipients: number): number {
    const { attachmentMaxMb, attachmentBudgetMb } = this.settings;
    const most = attachmentMaxMb * MB;
    return recipients > 0 ? Math.min(most, Math.floor((attachmentBudgetMb * MB) / recipients)) : most;
  }

  /**
   * @param bytes total of all attached files; 0: none
   * @param recipients 0 where they are not counted yet
   * @throws 400 `attachment_too_large`
   */
  assert(bytes: number, recipients: number): void {
    if (bytes > 0 && bytes > this.mostBytes(recipients)) throw this.refusal(bytes);
  }

  /** The error for attached files of this total size. */
  refusal(bytes: number): Error {
    const { attachmentMaxMb, attachmentBudgetMb } = this.settings;
    const reaches = bytes > attachmentMaxMb * MB ? null : Math.floor((attachmentBudgetMb * MB) / bytes);
    return attachmentTooLarge(attachmentMaxMb, reaches);
  }
}
