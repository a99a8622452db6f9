import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CONTACT_TYPE_OF_SEND, type ContactType } from '../../../shared/words/contact-type.js';
import { HistoryBook } from '../../history/index.js';
import { MessageComposer } from '../message-composer.js';
import type { DeliverableSend } from './batch-delivery.service.js';

const KEPT = 32;
const KEPT_MS = 10_000;

/** Sends as they are handed over. What a send says never changes, so it is read once for a while. */
@Injectable()
export class DeliverableSends {
  private readonly kept = new Map<string, { send: DeliverableSend; at: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly composer: MessageComposer,
  ) {}

  /** @returns undefined where the send is gone */
  async of(sendId: string): Promise<DeliverableSend | undefined> {
    const known = this.kept.get(sendId);
    if (known && Date.now() - known.at < KEPT_MS) return known.send;
    const entry = await this.book.byId(this.em.fork(), sendId);
    if (!entry) return undefined;
    const send = { ...this.composer.prepare(entry), acceptedAt: entry.sentAt, contactType: CONTACT_TYPE_OF_SEND[entry.emailType] satisfies ContactType };
    this.kept.delete(sendId);
    this.kept.set(sendId, { send, at: Date.now() });
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return send;
  }
}
