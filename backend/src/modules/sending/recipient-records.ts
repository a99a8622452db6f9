import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { PersonPart } from '../../shared/person/person-part.js';

/** A person as a recipient: the messages that were sent to the address. */
@Injectable()
export class RecipientRecords extends PersonPart {
  async export(em: EntityManager, { norm }: Address): Promise<Record<string, object[]>> {
    const messages = await rows(
      em,
      `select recipient_email as "recipientEmail", recipient_name as "recipientName", subject, status, message_id as "messageId", sent_at as "sentAt",
         unsubscribed_at as "unsubscribedAt", metadata, created_at as "createdAt"
       from email_delivery_logs where lower(recipient_email) = ? order by created_at`,
      [norm],
    );
    return { messages };
  }

  /** The log keeps its rows and its counts, and forgets whom they were for. */
  async erase(em: EntityManager, { norm, hash }: Address): Promise<number> {
    const logs = await changed(
      em,
      `update email_delivery_logs set recipient_email = 'erased', recipient_name = null, metadata = metadata - 'response' where lower(recipient_email) = ?`,
      [norm],
    );
    await changed(
      em,
      `update delivery_address_blocks set addresses = substr(replace(E'\\n' || addresses || E'\\n', E'\\n' || ? || E'\\n', E'\\nerased\\n'), 2, length(addresses) + length('erased') - length(?))
       where strpos(E'\\n' || addresses || E'\\n', E'\\n' || ? || E'\\n') > 0`,
      [norm, norm, norm],
    );
    return logs + (await changed(em, `delete from system_mails where recipient_hash = ?`, [hash]));
  }
}

@Module({ providers: [RecipientRecords], exports: [RecipientRecords] })
export class RecipientRecordsModule {}
