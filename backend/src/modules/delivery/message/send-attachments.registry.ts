import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AttachedFile } from './attachment-tail.js';

/** Why attached files may not go out any more: an admin took one down, or a later scan found a virus. */
export type AttachmentWithdrawal = 'taken_down' | 'infected';

/** The same in words, for the recipients that it leaves out. */
export const WITHDRAWN: Record<AttachmentWithdrawal, string> = {
  taken_down: 'An attached file was taken down',
  infected: 'A virus was found in an attached file',
};

/** The attached files of sends. The module that stores them depends on neither this one nor the other way round. */
export interface SendAttachmentSource {
  /** In their order. */
  of(sendId: string): Promise<AttachedFile[]>;
  /** Null: all of them may go out. */
  withdrawalOf(sendId: string): Promise<AttachmentWithdrawal | null>;
  /** Whether all of them are still there: then an ended send may be continued. */
  areThere(em: EntityManager, sendId: string): Promise<boolean>;
  /**
   * Keeps them for a send that is continued, in the transaction that reopens it.
   * @throws 410 where one was deleted or replaced since
   */
  keep(em: EntityManager, sendId: string): Promise<void>;
}

/** Ms for which a withdrawal is not asked for again. */
const ASKED_EVERY_MS = 1_000;
const KEPT = 100;

/** The files attached to sends, for their delivery. Registered at start; asked only about sends that have some. */
@Injectable()
export class SendAttachments {
  private source?: SendAttachmentSource;
  private readonly known = new Map<string, { withdrawal: AttachmentWithdrawal | null; goodUntil: number }>();

  readFrom(source: SendAttachmentSource): void {
    this.source = source;
  }

  of(sendId: string): Promise<AttachedFile[]> {
    return this.registered.of(sendId);
  }

  /** Queries at most once a second per send. A withdrawal is final. */
  async withdrawalOf(sendId: string): Promise<AttachmentWithdrawal | null> {
    const known = this.known.get(sendId);
    if (known && (known.withdrawal || known.goodUntil > performance.now())) return known.withdrawal;
    const withdrawal = await this.registered.withdrawalOf(sendId);
    this.known.delete(sendId);
    this.known.set(sendId, { withdrawal, goodUntil: performance.now() + ASKED_EVERY_MS });
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value!);
    return withdrawal;
  }

  areThere(em: EntityManager, sendId: string): Promise<boolean> {
    return this.registered.areThere(em, sendId);
  }

  keep(em: EntityManager, sendId: string): Promise<void> {
    return this.registered.keep(em, sendId);
  }

  /** A message never goes out without its attachments. */
  private get registered(): SendAttachmentSource {
    if (!this.source) throw new Error('no module stores attachments');
    return this.source;
  }
}
