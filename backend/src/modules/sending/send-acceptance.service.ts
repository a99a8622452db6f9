import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import type { RequestUser } from '../../shared/http/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { CONTACT_TYPE_OF_SEND } from '../../shared/words/contact-type.js';
import { SEND_TYPE_OF_ROLE } from '../../shared/words/send-type.js';
import { Accounts } from '../auth/index.js';
import { type DailyLimit, HistoryBook, UsageLedger, type Entry } from '../history/index.js';
import { Audience, type SendableList } from '../lists/index.js';
import { ChosenLists } from './chosen-lists.service.js';
import { DeliveryTickets } from './delivery-tickets.service.js';
import type { SendAcceptedDto, SendEmailDto } from './dto/send.dto.js';
import { NetworkAccess } from './network-access.service.js';
import { SendLayouts } from './send-layouts.service.js';
import { SendingTuning } from './sending-tuning.js';
import { badKey, dailyLimitReached, keyOfAnotherSend, noRecipients, roleNotAllowed, unknownList, unverified } from './sending.errors.js';

type Accepted = Pick<Entry, 'id' | 'status' | 'recipientCount'>;

interface Wish {
  user: RequestUser;
  body: SendEmailDto;
  key: string | null;
  contentHash: string;
  lists: SendableList[];
  limit: DailyLimit;
}

/** Takes a send in: limit, history entry and every recipient's row in one transaction, then the queue is told. */
@Injectable()
export class SendAcceptance {
  constructor(
    private readonly em: EntityManager,
    private readonly chosen: ChosenLists,
    private readonly audience: Audience,
    private readonly accounts: Accounts,
    private readonly usage: UsageLedger,
    private readonly book: HistoryBook,
    private readonly layouts: SendLayouts,
    private readonly jobs: JobQueue,
    private readonly tickets: DeliveryTickets,
    private readonly events: EventBus,
    private readonly tuning: SendingTuning,
    private readonly network: NetworkAccess,
  ) {}

  async accept(user: RequestUser, body: SendEmailDto, givenKey?: string): Promise<SendAcceptedDto> {
    const key = readKey(givenKey);
    const contentHash = hashOf(body);
    const earlier = key && (await this.earlier(this.em, user.id, key, contentHash));
    if (earlier) return answer(earlier);
    assertMaySend(user, body);
    const lists = await this.chosen.of(user, body.emailListIds);
    await this.network.assertOpen(user, lists);
    const limit = await this.accounts.entitlementsOf(user.id);
    const wish: Wish = { user, body, key, contentHash, lists, limit };
    const { entry, isNew } = await this.em.fork().transactional((em) => this.record(em as EntityManager, wish)).catch(listGone);
    if (isNew) await this.announce(entry);
    return answer(entry);
  }

  /** One user's sends are accepted one after another, so that a repeat waits for the first and finds it. */
  private async record(em: EntityManager, wish: Wish): Promise<{ entry: Accepted; isNew: boolean }> {
    const { user, body, key, contentHash, limit } = wish;
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`send:${user.id}`]);
    if (key) {
      const earlier = await this.earlier(em, user.id, key, contentHash);
      if (earlier) return { entry: earlier, isNew: false };
    } else {
      await this.assertWithinLimit(em, user, limit);
      const repeat = await this.book.repeatOf(em, user.id, contentHash);
      if (repeat) return { entry: repeat, isNew: false };
    }
    const usageDate = await this.usage.reserve(em, user.id, user.timeZone, limit);
    if (!usageDate) throw await this.overLimit(em, user, limit);
    const { id } = await this.book.open(em, {
      userId: user.id, lists: wish.lists, subject: body.subject, content: body.content, emailType: body.emailType, usageDate,
      idempotencyKey: key, contentHash, senderName: `${user.firstName} ${user.lastName}`, senderAgency: user.agencyName, replyTo: user.email,
    });
    const recipientCount = await this.layOut(em, id, wish);
    if (recipientCount === 0) throw noRecipients();
    await this.book.countRecipients(em, id, recipientCount);
    return { entry: { id, status: 'pending', recipientCount }, isNew: true };
  }

  /**
   * A small send's rows stand before the answer; of a large one only that it has any recipient is asked, and the lists' own counts
   * stand for the number until all are laid out.
   */
  private async layOut(em: EntityManager, sendId: string, { user, body, lists }: Wish): Promise<number> {
    const recipients = this.audience.selectSql(lists, CONTACT_TYPE_OF_SEND[body.emailType], user.id);
    const most = lists.reduce((sum, list) => sum + list.confirmedCount, 0);
    if (most <= this.tuning.layOutAtOnce) return this.layouts.layOutAll(em, { id: sendId, userId: user.id, subject: body.subject }, recipients);
    const listIds = lists.map(({ id }) => id);
    const first = this.audience.pageSql(listIds, CONTACT_TYPE_OF_SEND[body.emailType], user.id, { after: '', limit: 1 });
    if ((await rows(em, first.sql, first.params)).length === 0) return 0;
    await this.layouts.postpone(em, sendId, listIds);
    return most;
  }

  private async earlier(em: EntityManager, userId: string, key: string, contentHash: string): Promise<Entry | undefined> {
    const entry = await this.book.byKey(em, userId, key);
    if (entry && entry.contentHash !== contentHash) throw keyOfAnotherSend();
    return entry;
  }

  private async assertWithinLimit(em: EntityManager, user: RequestUser, { dailyLimit, limitScope }: DailyLimit): Promise<void> {
    if (dailyLimit === null) return;
    const today = await this.usage.today(em, user.id, user.timeZone, limitScope);
    if (today.emailsSent + 1 > dailyLimit) throw dailyLimitReached(dailyLimit, today.secondsLeft);
  }

  private async overLimit(em: EntityManager, user: RequestUser, { dailyLimit, limitScope }: DailyLimit) {
    return dailyLimitReached(dailyLimit ?? 0, (await this.usage.today(em, user.id, user.timeZone, limitScope)).secondsLeft);
  }

  /** After the commit: PostgreSQL holds the work, a queue that is away only delays it. */
  private async announce({ id, recipientCount }: Accepted): Promise<void> {
    if (recipientCount > this.tuning.layOutAtOnce) await this.jobs.enqueue('layouts', { sendId: id }, { jobId: id });
    else await this.tickets.announce(id);
    await this.events.emit('send.accepted', { sendId: id });
  }
}

function assertMaySend(user: RequestUser, { emailType }: SendEmailDto): void {
  if (!user.isAdmin && SEND_TYPE_OF_ROLE[user.role] !== emailType) throw roleNotAllowed(emailType);
  if (!user.isVerified) throw unverified();
}

function readKey(key?: string): string | null {
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() === '') throw badKey();
  return key;
}

function hashOf({ emailType, emailListIds, subject, content }: SendEmailDto): string {
  const ids = [...new Set(emailListIds.map((id) => id.toLowerCase()))].sort();
  return createHash('sha256').update(JSON.stringify([emailType, ids, subject, content])).digest('hex');
}

/** A list deleted while the send was being accepted: its foreign key tells. */
function listGone(error: unknown): never {
  if ((error as { code?: string }).code === '23503') throw unknownList();
  throw error;
}

function answer({ id, status, recipientCount }: Accepted): SendAcceptedDto {
  const people = recipientCount === 1 ? '1 recipient' : `${recipientCount} recipients`;
  return { id, status, recipientCount: String(recipientCount), message: `Your email is on its way to ${people}` };
}
