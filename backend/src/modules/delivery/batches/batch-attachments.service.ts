import { Injectable } from '@nestjs/common';
import { AttachmentEncoder, AttachmentsLost } from '../message/attachment-encoder.service.js';
import { AttachmentRegistry, type AttachmentWithdrawal } from '../message/attachment.registry.js';

/** The attached files of a batch: their encoded bytes, or why they may not be sent. */
export interface AttachedToBatch {
  tail?: Buffer;
  withdrawal?: AttachmentWithdrawal;
}

/** Reads the attached files for one batch, before anything of it is marked. */
@Injectable()
export class BatchAttachments {
  constructor(
    private readonly attachments: AttachmentRegistry,
    private readonly encoder: AttachmentEncoder,
  ) {}

  /**
   * @returns the tail, or why there is none: the recipient check then skips every recipient of the batch, whatever
   * another worker finds out meanwhile
   * @throws AttachmentsUnavailable where the files cannot be read for now
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
