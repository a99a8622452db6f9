import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AttachmentStore } from '../composing/index.js';
import { AttachmentRegistry } from '../delivery/index.js';

/** Lets delivery read the files that are attached to sends. */
@Injectable()
export class AttachmentRegistration implements OnModuleInit {
  constructor(
    private readonly attachments: AttachmentRegistry,
    private readonly files: AttachmentStore,
  ) {}

  onModuleInit(): void {
    this.attachments.readFrom(this.files);
  }
}
