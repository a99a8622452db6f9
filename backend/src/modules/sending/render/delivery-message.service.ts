import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../../shared/errors/app-error.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { contactTagsOf } from '../../../shared/merge-tags/pieces.js';
import { NO_VALUES } from '../../../shared/merge-tags/values.js';
import { MessageComposer, SendMessages, unknownSend } from '../../delivery/index.js';
import { SendRecords } from '../../history/index.js';
import { RecipientPager } from '../../lists/index.js';
import { sampleValues } from './preview-send.js';
import type { RenderedMessageDto } from './render.dto.js';
import { recipientDto } from './send-render.service.js';

interface MailedDelivery {
  contactId: string;
  email: string;
  masked: boolean;
  listName: string;
}

/** Shows the message of a send as one of its recipients reads it. Uses the contact's current details. */
@Injectable()
export class DeliveryMessage {
  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly messages: SendMessages,
    private readonly composer: MessageComposer,
    private readonly steps: RecipientPager,
  ) {}

  /** @throws 404 for another user's send, and for a delivery that does not belong to the send */
  async of(userId: string, sendId: string, deliveryId: string): Promise<RenderedMessageDto> {
    const entry = await this.records.byId(this.em, sendId);
    if (entry?.userId !== userId) throw unknownSend();
    const delivery = await this.delivery(sendId, deliveryId);
    if (!delivery) throw notFound('Delivery not found');
    const message = entry.composed ? await this.messages.read(this.em, sendId) : null;
    const tags = message ? contactTagsOf(message) : [];
    const { contactId, email, masked, listName } = delivery;
    const contact = masked ? null : await this.steps.contact(userId, contactId, tags);
    const values = masked ? sampleValues(tags) : (contact?.values ?? NO_VALUES);
    const rendered = this.composer.rendered(this.composer.prepare({ ...entry, message }), {
      listName,
      values,
      unsubscribeToken: 'preview',
      introductionDue: false,
    });
    const shown = contact ?? { contactId, email, name: null, values };
    return {
      ...rendered,
      recipient: masked ? null : recipientDto({ ...shown, listName }, tags),
      next: null,
      previous: null,
    };
  }

  private async delivery(sendId: string, deliveryId: string): Promise<MailedDelivery | undefined> {
    const [found] = await rows<MailedDelivery>(
      this.em,
      `select d.contact_id as "contactId", d.recipient_email as email, d.masked, coalesce(l.name, h.name, '') as "listName"
       from email_delivery_logs d
       left join email_history_lists h on h.history_id = d.history_id and h.email_list_id = d.email_list_id
       left join email_lists l on l.id = d.email_list_id
       where d.id = ? and d.history_id = ?`,
      [deliveryId, sendId],
    );
    return found;
  }
}
