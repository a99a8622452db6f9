import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../shared/database/queries/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { AccountConcurrency, type RequestUser } from '../../shared/http/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { CONTACT_TYPE_OF_SEND } from '../../shared/enums.js';
import { Accounts } from '../auth/index.js';
import { attachedBytes, Drafts, MessageFiles, Pictures, SenderProfiles } from '../composing/index.js';
import { DeliveryJobs, DeliveryTuning, SendExpansions, SendMessages } from '../delivery/index.js';
import { type SendRecord, SendRecords, UsageLedger } from '../history/index.js';
import { Audience } from '../lists/index.js';
import { AttachmentGuard } from './attachment-guard.service.js';
import { type AcceptedRecipients, AudienceAcceptance } from './audience/audience-acceptance.service.js';
import { ChosenAudience } from './audience/chosen-audience.service.js';
import { ComposedSends } from './composed-sends.service.js';
import type { SendAcceptedDto, SendEmailDto } from './send.dto.js';
import { assertMaySend, hashOf, readIdentity, type RequestIdentity, type SendRequest } from './send-request.js';
import {
  dailyLimitReached,
  keyOfAnotherSend,
  noRecipients,
  placesHeld,
  senderAddressRequired,
  unknownList,
} from './sending.errors.js';

/** The fields of a send that its acceptance returns. */
export type Accepted = Pick<SendRecord, 'id' | 'status' | 'recipientCount'>;

/** Result of looking for an earlier request with the same draft or key. */
interface Earlier {
  /** The send that this request repeats; absent if there is none. */
  entry?: SendRecord;
  /** Idempotency key to store with a new send; null if none must be stored. */
  freeKey: string | null;
}

/**
 * Limits how many sends are accepted at the same time in this process. Each acceptance holds a database connection, and
 * acceptances of one account wait for each other. Further sends wait here, without a connection, instead of failing
 * because the pool is empty.
 */
const acceptances = new AccountConcurrency({ concurrent: 6, perAccount: 2, mostWaiting: 100 });

/**
 * Accepts a send: counts it towards the daily limit, writes the history entry and creates the delivery rows, all in one
 * transaction. Then notifies the queue.
 */
@Injectable()
export class SendAcceptance {
  constructor(
    private readonly em: EntityManager,
    private readonly chosen: ChosenAudience,
    private readonly audiences: AudienceAcceptance,
    private readonly audience: Audience,
    private readonly accounts: Accounts,
    private readonly usage: UsageLedger,
    private readonly records: SendRecords,
    private readonly expansions: SendExpansions,
    private readonly jobs: JobQueue,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly events: EventBus,
    private readonly tuning: DeliveryTuning,
    private readonly compositions: ComposedSends,
    private readonly messages: SendMessages,
    private readonly drafts: Drafts,
    private readonly pictures: Pictures,
    private readonly files: MessageFiles,
    private readonly profiles: SenderProfiles,
    private readonly guard: AttachmentGuard,
  ) {}

  /**
   * Accepts a send and notifies the queue.
   * @throws the errors of send-email; 429 if too many sends of the account are being accepted
   */
  async accept(user: RequestUser, body: SendEmailDto, givenKey?: string): Promise<SendAcceptedDto> {
    acceptances.assertRoom(user.id, 'sends');
    return acceptances.take(user.id, () => this.acceptNow(user, body, givenKey));
  }

  private async acceptNow(user: RequestUser, body: SendEmailDto, givenKey?: string): Promise<SendAcceptedDto> {
    const identity = readIdentity(body, givenKey);
    const request = await this.prepare(user, body, identity);
    if ('earlier' in request) return this.answer(request.earlier);
    const { entry, accepted } = await inTransaction(this.em, (em) => this.record(em, request));
    if (accepted) await this.announce(entry.id, accepted);
    return this.answer(entry, accepted?.isAbout);
  }

  /**
   * Checks a send without accepting it.
   * @returns the checked request, or the send that an earlier request with the same draft or key has created
   * @throws the errors of send-email, except those for the daily limit, a changed draft and missing recipients
   */
  async prepare(
    user: RequestUser,
    body: SendEmailDto,
    identity: RequestIdentity,
    holds: SendRequest['holds'] = 'respect',
  ): Promise<SendRequest | { earlier: Accepted }> {
    const composition = this.compositions.check(body);
    const contentHash = hashOf(body, composition);
    const { entry: earlier } = await this.earlier(this.em, user.id, identity, contentHash);
    if (earlier) return { earlier };
    assertMaySend(user, body);
    const audience = await this.chosen.of(user, body, identity.draftId !== null || identity.isPlanned);
    const limit = await this.accounts.entitlementsOf(user.id);
    const composed = await this.compositions.of(user, audience.tagLists, composition);
    this.files.assertReady(composed.files);
    this.guard.assert(attachedBytes(composed.files), 0);
    if (this.profiles.isAddressRequired && !identity.isQueued && !composed.senderAddress) throw senderAddressRequired();
    return { user, body, identity, contentHash, audience, limit, holds, composed };
  }

  /**
   * Accepts a send in the caller's transaction. Call `announce` after the commit.
   * @throws the errors of send-email
   */
  record(em: EntityManager, request: SendRequest): Promise<{ entry: Accepted; accepted?: AcceptedRecipients }> {
    return this.recordLocked(em, request).catch(listGone);
  }

  /**
   * Serialises the sends of a user, so that a repeated request waits for the first one and finds its result. Has its
   * own statement timeout, because on a busy machine this wait may exceed the usual one. If the timeout is exceeded,
   * nothing is accepted.
   */
  private async recordLocked(
    em: EntityManager,
    request: SendRequest,
  ): Promise<{ entry: Accepted; accepted?: AcceptedRecipients }> {
    const { user, body, identity, contentHash, limit, holds, composed } = request;
    await rows(em, `select set_config('statement_timeout', ?::text, true)`, [String(this.tuning.acceptMs)]);
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`send:${user.id}`]);
    const { entry: earlier, freeKey } = await this.earlier(em, user.id, identity, contentHash);
    if (earlier) return { entry: earlier };
    if (identity.draftId) {
      if (!identity.isPlanned) await this.drafts.take(em, user.id, identity.draftId, identity.draftVersion);
    } else if (!identity.key) {
      const refusal = await this.limitReached(em, request);
      if (refusal) throw refusal;
      const repeat = await this.records.repeatOf(em, user.id, contentHash);
      if (repeat) return { entry: repeat };
    }
    const usageDate = await this.usage.reserve(em, user.id, user.timeZone, limit, holds);
    if (!usageDate) throw (await this.limitReached(em, request)) ?? dailyLimitReached(limit.dailyLimit ?? 0, 60);
    const { id } = await this.records.open(em, {
      userId: user.id,
      lists: request.audience.lists,
      subject: body.subject,
      content: composed.content,
      composed: composed.written !== null,
      attached: attachedBytes(composed.files) > 0,
      emailType: body.emailType,
      usageDate,
      idempotencyKey: freeKey,
      draftId: identity.draftId,
      contentHash,
      senderName: `${user.firstName} ${user.lastName}`,
      senderAgency: user.agencyName,
      senderAddress: composed.senderAddress,
      replyTo: user.email,
    });
    if (composed.written) await this.messages.write(em, id, composed.written);
    await this.pictures.noteSent(em, user.id, id, composed.pictureIds);
    const attached = await this.files.write(em, user.id, id, composed.files);
    const send = { id, userId: user.id, subject: body.subject, emailType: body.emailType };
    const accepted =
      (await this.audiences.accept(em, send, request.audience)) ?? (await this.createRows(em, id, request));
    const { recipientCount } = accepted;
    if (recipientCount === 0) throw noRecipients();
    await this.assertAttachable(em, id, attached, recipientCount);
    await this.records.countRecipients(em, id, recipientCount);
    return { entry: { id, status: 'pending', recipientCount }, accepted };
  }

  /**
   * Limits attached files by the number of recipients that people see. A limit by the exact number would reveal who is
   * on the shared network.
   * @throws 400
   */
  private async assertAttachable(
    em: EntityManager,
    sendId: string,
    bytes: number,
    recipientCount: number,
  ): Promise<void> {
    if (bytes > 0) this.guard.assert(bytes, await this.audiences.shownCount(em, sendId, recipientCount));
  }

  /**
   * Accepts the recipients of a send to plain lists. For a small send, creates the delivery rows at once. For a large
   * send, only checks that there is a recipient and leaves the rows to a worker; until then, the sum of the lists' own
   * counts serves as the number of recipients.
   */
  private async createRows(
    em: EntityManager,
    sendId: string,
    { user, body, audience: { lists } }: SendRequest,
  ): Promise<AcceptedRecipients> {
    const recipients = this.audience.selectSql(lists, CONTACT_TYPE_OF_SEND[body.emailType], user.id);
    const most = lists.reduce((sum, list) => sum + list.confirmedCount, 0);
    if (most <= this.tuning.layOutAtOnce) {
      const send = { id: sendId, userId: user.id, subject: body.subject };
      return counted(await this.expansions.insertAll(em, send, recipients), false);
    }
    const listIds = lists.map(({ id }) => id);
    const first = this.audience.pageSql(listIds, CONTACT_TYPE_OF_SEND[body.emailType], user.id, {
      after: '',
      limit: 1,
    });
    if ((await rows(em, first.sql, first.params)).length === 0) return counted(0, true);
    await this.expansions.postpone(em, sendId, listIds);
    return counted(most, true);
  }

  private async earlier(
    em: EntityManager,
    userId: string,
    { draftId, key }: RequestIdentity,
    contentHash: string,
  ): Promise<Earlier> {
    const ofDraft = draftId && (await this.records.byDraft(em, userId, draftId));
    if (ofDraft) return { entry: ofDraft, freeKey: null };
    // A retry may name a draft that did not exist at the first request, which then contained only the key.
    if (!key) return { freeKey: null };
    const entry = await this.records.byKey(em, userId, key);
    if (!entry || entry.contentHash === contentHash) return { entry, freeKey: key };
    // If both sends have drafts, these tell the sends apart. Otherwise, the key stands for another email: perhaps the
    // user changed the email after the answer to the first request was lost.
    if (draftId && entry.draftId) return { freeKey: null };
    throw keyOfAnotherSend();
  }

  /**
   * Checks the daily limit.
   * @returns the error if the limit does not allow this send, else null
   */
  private async limitReached(em: EntityManager, { user, limit, holds }: SendRequest): Promise<Error | null> {
    const { dailyLimit, limitScope } = limit;
    if (dailyLimit === null) return null;
    const today = await this.usage.today(em, user.id, user.timeZone, limitScope);
    if (today.emailsSent + 1 > dailyLimit) return dailyLimitReached(dailyLimit, today.secondsLeft);
    if (holds === 'ignore') return null;
    const held = await this.usage.held(em, user.id, limitScope, today);
    return today.emailsSent + held.count + 1 > dailyLimit ? placesHeld(dailyLimit, held, today) : null;
  }

  /** The response for an accepted send. */
  async answer({ id, status, recipientCount }: Accepted, isEstimate = false): Promise<SendAcceptedDto> {
    const shown = await this.audiences.shownCount(this.em, id, recipientCount);
    const isAbout = isEstimate || shown !== recipientCount;
    const number = isAbout ? `about ${shown.toLocaleString('en-US')}` : String(shown);
    const people = shown === 1 ? '1 recipient' : `${number} recipients`;
    return { id, status, recipientCount: String(shown), message: `Your email is on its way to ${people}` };
  }

  /**
   * Notifies the queue; call it after the commit. PostgreSQL holds the work, so an unavailable queue only delays it.
   */
  async announce(id: string, { isPostponed }: AcceptedRecipients): Promise<void> {
    if (isPostponed) await this.jobs.enqueue('layouts', { sendId: id }, { jobId: id });
    else await this.deliveryJobs.announce(id);
    await this.events.emit('send.accepted', { sendId: id });
  }
}

/** Converts the foreign-key error that occurs if a list was deleted during acceptance. */
function listGone(error: unknown): never {
  if ((error as { code?: string }).code === '23503') throw unknownList();
  throw error;
}

const counted = (recipientCount: number, isPostponed: boolean): AcceptedRecipients => ({
  recipientCount,
  isAbout: false,
  isPostponed,
});
