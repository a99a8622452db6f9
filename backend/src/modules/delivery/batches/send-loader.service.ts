import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ComposedMessage, contactTagsOf, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { CONTACT_TYPE_OF_SEND, type ContactType } from '../../../shared/enums.js';
import { SendRecords } from '../../history/index.js';
import { MessageComposer, type PreparedSend } from '../message/message-composer.js';
import { SendMessages } from '../message/send-messages.service.js';

/** A send in any state, with everything that its batches need. */
export type LoadedSend = PreparedSend & {
  contactType: ContactType;
  acceptedAt: Date;
  recipientCount: number;
  /** Merge tags of the message whose values come from the contacts. */
  tags: readonly TagPiece[];
};

const MAX_CACHED_SENDS = 32;
const CACHE_MS = 10_000;

/**
 * Loads the content of sends, also of paused and cancelled ones: whether a send may go out is decided when its
 * deliveries are claimed. The content never changes, so it is cached for a while.
 */
@Injectable()
export class SendLoader {
  private readonly kept = new Map<string, { send: LoadedSend; message: ComposedMessage | null; at: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly composer: MessageComposer,
    private readonly messages: SendMessages,
  ) {}

  /** @returns undefined if the send was deleted */
  async load(sendId: string): Promise<LoadedSend | undefined> {
    const known = this.kept.get(sendId);
    if (known && Date.now() - known.at < CACHE_MS) return known.send;
    const em = this.em.fork();
    const entry = await this.records.byId(em, sendId);
    if (!entry) return undefined;
    const message = entry.composed ? (known?.message ?? (await this.messages.read(em, sendId))) : null;
    const send = {
      ...this.composer.prepare({ ...entry, message }),
      tags: message ? contactTagsOf(message) : [],
      acceptedAt: entry.sentAt,
      recipientCount: entry.recipientCount,
      contactType: CONTACT_TYPE_OF_SEND[entry.emailType] satisfies ContactType,
    };
    this.kept.delete(sendId);
    this.kept.set(sendId, { send, message, at: Date.now() });
    if (this.kept.size > MAX_CACHED_SENDS) this.kept.delete(this.kept.keys().next().value!);
    return send;
  }
}
