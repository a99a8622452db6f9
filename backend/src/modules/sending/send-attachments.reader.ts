import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AttachedFiles } from '../composing/index.js';
import { SendAttachments } from '../delivery/index.js';

/** Lets delivery read the files that are attached to sends. */
@Injectable()
export class SendAttachmentsReader implements OnModuleInit {
  constructor(
    private readonly attachments: SendAttachments,
    private readonly files: AttachedFiles,
  ) {}

  onModuleInit(): void {
    this.attachments.readFrom(this.files);
  }
}
