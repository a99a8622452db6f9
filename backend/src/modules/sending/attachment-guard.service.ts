import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { attachmentTooLarge } from './sending.errors.js';

const MB = 1024 * 1024;

/** Limits attached files, which every message repeats: their size together, and that size times the recipients. */
@Injectable()
export class AttachmentGuard {
  constructor(private readonly settings: Settings) {}

  /** Bytes that may be attached in all to a message for so many recipients. */
  mostBytes(recipients: number): number {
    const { attachmentMaxMb, attachmentBudgetMb } = this.settings;
    const most = attachmentMaxMb * MB;
    return recipients > 0 ? Math.min(most, Math.floor((attachmentBudgetMb * MB) / recipients)) : most;
  }

  /**
   * @param bytes of all attached files together; 0: none is attached
   * @param recipients 0 where they are not counted yet
   * @throws 400 `attachment_too_large`
   */
  assert(bytes: number, recipients: number): void {
    if (bytes > 0 && bytes > this.mostBytes(recipients)) throw this.refusal(bytes);
  }

  /** The error for attached files of that size. */
  refusal(bytes: number): Error {
    const { attachmentMaxMb, attachmentBudgetMb } = this.settings;
    const reaches = bytes > attachmentMaxMb * MB ? null : Math.floor((attachmentBudgetMb * MB) / bytes);
    return attachmentTooLarge(attachmentMaxMb, reaches);
  }
}
