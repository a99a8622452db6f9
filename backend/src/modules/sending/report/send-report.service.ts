import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  MessageComposer,
  SendAudiences,
  SendRetries,
  unknownSend,
  messageAsTyped,
  SendMessages,
} from '../../delivery/index.js';
import { MessageFiles } from '../../composing/index.js';
import { FILES_MISSING_HOURS, type SendRecord, SendRecords } from '../../history/index.js';
import { DeliveryCounts } from './delivery-totals.service.js';
import { sentAudience } from './sent-audience.js';
import type { DeliveryCountsDto, FilesWaitDto, HistoryEntryDto } from './report.dto.js';

const HOUR_MS = 3_600_000;

/** A send with its message, lists and counts. Only for its owner. */
@Injectable()
export class SendReport {
  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly tally: DeliveryCounts,
    private readonly retries: SendRetries,
    private readonly composer: MessageComposer,
    private readonly messages: SendMessages,
    private readonly audiences: SendAudiences,
    private readonly files: MessageFiles,
  ) {}

  async entry(userId: string, id: string): Promise<HistoryEntryDto> {
    const entry = await this.own(userId, id);
    const lists = await this.records.listsOf(this.em, id);
    const audience = await this.audiences.reported(this.em, id);
    const [message, written] = entry.composed
      ? [await this.messages.read(this.em, id), await this.messages.written(this.em, id)]
      : [null, null];
    const prepared = this.composer.prepare({ ...entry, message: message && messageAsTyped(message) });
    const { html } = this.composer.parts(prepared, {
      listName: lists[0]?.name ?? '',
      unsubscribeToken: 'preview',
      introductionDue: false,
    });
    return {
      id,
      subject: entry.subject,
      emailType: entry.emailType,
      recipientCount: String(entry.recipientCount),
      sentAt: new Date(entry.sentAt).toISOString(),
      status: entry.status,
      ...(entry.stopped && { stopped: entry.stopped }),
      content: entry.content,
      preheader: written?.preheader ?? '',
      document: (written?.document ?? null) as HistoryEntryDto['document'],
      job: (written?.job ?? null) as HistoryEntryDto['job'],
      files: await this.files.shownOf(userId, id),
      filesWait: filesWaitOf(entry),
      html,
      lists,
      counts: { ...(await this.counts(id)), leftOut: audience?.leftOut ?? 0 },
      audience: audience && sentAudience(audience),
      retryable: entry.stopped === 'cancelled' ? 0 : await this.retries.count(entry),
    };
  }

  /** @throws 404 for another user's send and for an unknown one */
  async assertOwn(userId: string, id: string): Promise<void> {
    if ((await this.records.stateOf(this.em, id))?.userId !== userId) throw unknownSend();
  }

  counts(id: string): Promise<DeliveryCountsDto> {
    return this.tally.of(id);
  }

  private async own(userId: string, id: string): Promise<SendRecord> {
    const entry = await this.records.byId(this.em, id);
    if (entry?.userId !== userId) throw unknownSend();
    return entry;
  }
}

function filesWaitOf({ status, stopped, filesUnreadAt, filesMissingAt }: SendRecord): FilesWaitDto | null {
  if (status !== 'pending' || stopped || !filesUnreadAt) return null;
  const givenUpAt = filesMissingAt && new Date(new Date(filesMissingAt).getTime() + FILES_MISSING_HOURS * HOUR_MS);
  return { since: new Date(filesUnreadAt).toISOString(), givenUpAt: givenUpAt && givenUpAt.toISOString() };
}
