import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { DataSubjectSource } from '../../shared/personal-data.js';

/** Data about a person as a recipient: the messages sent to the person's address. */
@Injectable()
export class RecipientPersonalData extends DataSubjectSource {
  async export(em: EntityManager, { norm }: Address): Promise<Record<string, object[]>> {
    const messages = await rows(
      em,
      `select recipient_email as "recipientEmail", recipient_name as "recipientName", subject, status, message_id as "messageId", sent_at as "sentAt",
         unsubscribed_at as "unsubscribedAt", metadata, created_at as "createdAt"
       from email_delivery_logs where lower(recipient_email) = ? order by created_at`,
      [norm],
    );
    const leftOut = await rows(
      em,
      `select h.subject, l.reason, l.detail, h.sent_at as "at" from send_left_out l join email_history h on h.id = l.history_id
       where lower(l.email) = ? order by h.sent_at`,
      [norm],
    );
    return { messages, leftOut };
  }

  /** Anonymises the person's rows instead of deleting them, so that the log keeps its counts. */
  async erase(em: EntityManager, { norm, hash }: Address): Promise<number> {
    const logs = await changed(
      em,
      `update email_delivery_logs set recipient_email = 'erased', recipient_name = null,
         metadata = case when strpos(metadata ->> 'reason', ?) > 0
           then jsonb_set(metadata - 'response', '{reason}', to_jsonb(replace(metadata ->> 'reason', ?, 'erased'))) else metadata - 'response' end
       where lower(recipient_email) = ?`,
      [norm, norm, norm],
    );
    await changed(
      em,
      `update delivery_address_blocks set addresses = substr(replace(E'\\n' || addresses || E'\\n', E'\\n' || ? || E'\\n', E'\\nerased\\n'), 2, length(addresses) + length('erased') - length(?))
       where strpos(E'\\n' || addresses || E'\\n', E'\\n' || ? || E'\\n') > 0`,
      [norm, norm, norm],
    );
    await changed(em, `delete from send_members where email_norm = ?`, [norm]);
    const leftOut = await changed(
      em,
      `update send_left_out set email = 'erased', detail = replace(detail, ?, 'erased') where lower(email) = ?`,
      [norm, norm],
    );
    const choices = await changed(
      em,
      `update send_audiences set choices = jsonb_set(choices, '{excludeAddresses}', (choices -> 'excludeAddresses') - ?::text)
       where choices -> 'excludeAddresses' @> to_jsonb(?::text)`,
      [norm, norm],
    );
    return logs + leftOut + choices + (await changed(em, `delete from system_mails where recipient_hash = ?`, [hash]));
  }
}

@Module({ providers: [RecipientPersonalData], exports: [RecipientPersonalData] })
export class RecipientPersonalDataModule {}
