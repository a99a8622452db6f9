import { Injectable } from '@nestjs/common';
import { AttachmentEncoder, AttachmentsLost } from '../message/attachment-encoder.service.js';
import { AttachmentRegistry, type AttachmentWithdrawal } from '../message/attachment.registry.js';

/** The attached files of a batch, encoded as the tail of its messages, or why the files may not be sent. */
export interface AttachedToBatch {
  tail?: Buffer;
  withdrawal?: AttachmentWithdrawal;
}

/** Reads the attached files for a batch, before any row of the batch is marked. */
@Injectable()
export class BatchAttachments {
  constructor(
    private readonly attachments: AttachmentRegistry,
    private readonly encoder: AttachmentEncoder,
  ) {}

  /**
   * @returns the tail, or why there is none; the recipient check then skips every recipient of the batch, even if
   * another worker can read the files meanwhile
   * @throws AttachmentsUnavailable if the files cannot be read at the moment
   */
  async of(sendId: string): Promise<AttachedToBatch> {
    const withdrawal = await this.attachments.withdrawalOf(sendId);
    if (withdrawal) return { withdrawal };
    try {
      const reading = this.attachments.readingOf(sendId);
      return { tail: await this.encoder.of(sendId, () => this.attachments.of(sendId), reading) };
    } catch (error) {
      if (error instanceof AttachmentsLost) return { withdrawal: 'lost' };
      throw error;
    }
  }
}
