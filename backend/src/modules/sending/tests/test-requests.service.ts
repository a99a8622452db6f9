import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { newId } from '../../../shared/database/queries/columns.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { forbidden, invalid, notFound } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { type Address, hashAddress, parseAddress } from '../../../shared/mail/address.js';
import { contactTagsOf, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { isUuid } from '../../../shared/text/formats.js';
import { AttachmentStore, attachedBytes, MessageFiles, Testers, verifyFirst } from '../../composing/index.js';
import { type ComposableSend, MessageComposer, PreparedMessages } from '../../delivery/index.js';
import {
  type PreviewRecipient,
  RecipientPager,
  type SendableList,
  Suppressions,
  TEST_UNSUBSCRIBE,
} from '../../lists/index.js';
import { AttachmentGuard } from '../attachment-guard.service.js';
import { ChosenAudience } from '../audience/chosen-audience.service.js';
import { type ComposedSend, ComposedSends } from '../composed-sends.service.js';
import { previewSend, sampleValues } from '../render/preview-send.js';
import { compositionHash } from '../send-request.js';
import type { TestMailStatus } from './test-mail.entity.js';
import { type NewTest, TestMailOutbox } from './test-mail-outbox.service.js';
import type { TestMailDto, TestSendDto, TestSentDto } from './test-send.dto.js';

/** Prefix of the subject of test mails. */
const MARK = '[Test] ';
const MAX_SHOWN_TESTS = 20;
/** List name in the footer of a test mail if no list is chosen. */
const NO_LIST = 'your list';

const testerUnconfirmed = (address: string) =>
  forbidden(`${address} has not confirmed that you may send tests there`, 'tester_unconfirmed');
const takesNothing = (address: string) => forbidden(`${address} does not take mail any more`, 'tester_unconfirmed');

/**
 * Accepts test mails: the message of a send, composed as for one of its recipients, but sent to the user's own address
 * and to testers. A test is not a send: it has no history entry, does not count towards the daily limit and creates no
 * delivery rows.
 */
@Injectable()
export class TestRequests {
  constructor(
    private readonly em: EntityManager,
    private readonly chosen: ChosenAudience,
    private readonly compositions: ComposedSends,
    private readonly composer: MessageComposer,
    private readonly contacts: RecipientPager,
    private readonly testers: Testers,
    private readonly suppressions: Suppressions,
    private readonly outbox: TestMailOutbox,
    private readonly files: MessageFiles,
    private readonly attachments: AttachmentStore,
    private readonly guard: AttachmentGuard,
    private readonly clock: Clock,
  ) {}

  /** @throws 403 if one of the addresses may not get a test mail; nothing is then sent */
  async accept(user: RequestUser, body: TestSendDto): Promise<TestSentDto> {
    const composition = this.compositions.check(body);
    const addresses = readAddresses(body.to);
    if (!user.isVerified) throw verifyFirst();
    await this.assertMayGet(user, addresses);
    const isForNobody = !body.emailListIds?.length && !body.segmentIds?.length;
    const lists = isForNobody
      ? []
      : (await this.chosen.of(user, { ...body, emailListIds: body.emailListIds ?? [] }, body.draftId !== undefined))
          .tagLists;
    const composed = await this.compositions.of(user, lists, composition);
    this.files.assertReady(composed.files);
    this.guard.assert(attachedBytes(composed.files), addresses.length);
    const tests = await this.made(
      user,
      body,
      { ...composed, contentHash: compositionHash(composition) },
      lists,
      addresses,
    );
    await inTransaction(this.em, async (em) => {
      await this.outbox.add(em, user.id, tests);
      await this.files.write(em, user.id, null, composed.files);
    });
    await this.outbox.kick();
    const sent = tests.length;
    return { sent, message: `Test sent to ${sent} ${sent === 1 ? 'address' : 'addresses'}` };
  }

  /**
   * The last test mails, newest first. Addresses are stored as hashes, so an address is known only while it is the
   * user's own or a tester's.
   */
  async latest(user: RequestUser): Promise<TestMailDto[]> {
    const em = this.em.fork();
    const found = await rows<Omit<TestMailDto, 'address' | 'createdAt'> & { hash: string; createdAt: Date }>(
      em,
      `select id, encode(address_hash, 'hex') as hash, status, reason, created_at as "createdAt"
       from test_mails where user_id = ? order by created_at desc, id limit ${MAX_SHOWN_TESTS}`,
      [user.id],
    );
    const known = new Map(
      (await this.testers.all(user.id, em)).map(({ address }) => [
        hashAddress(address.toLowerCase()).toString('hex'),
        address,
      ]),
    ).set(hashAddress(user.emailNorm).toString('hex'), user.email);
    return found.map(({ id, hash, status, reason, createdAt }) => ({
      id,
      address: known.get(hash) ?? null,
      status: status satisfies TestMailStatus,
      reason,
      createdAt: new Date(createdAt).toISOString(),
    }));
  }

  private async assertMayGet(user: RequestUser, addresses: readonly Address[]): Promise<void> {
    const em = this.em.fork();
    const hashes = addresses.map(({ hash }) => hash);
    const confirmed = await this.testers.confirmed(em, user.id, hashes);
    const stranger = addresses.find(
      ({ norm, hash }) => norm !== user.emailNorm && !confirmed.has(hash.toString('hex')),
    );
    if (stranger) throw testerUnconfirmed(stranger.address);
    const silent = await this.suppressions.takeNothing(em, hashes);
    const left = addresses.find(({ hash }) => silent.has(hash.toString('hex')));
    if (left) throw takesNothing(left.address);
  }

  /** Composes the messages with the same code as a send. */
  private async made(
    user: RequestUser,
    { subject, asContactId }: TestSendDto,
    { content, written, senderAddress, files, contentHash }: ComposedSend & { contentHash: Buffer },
    lists: readonly SendableList[],
    addresses: readonly Address[],
  ): Promise<NewTest[]> {
    const message = written && { ...written.message, subject: [MARK, ...written.message.subject] };
    const attached = await this.attachments.chosen(user.id, files);
    // A file may have been replaced by a larger one after its size was checked.
    this.guard.assert(
      attached.reduce((sum, { byteSize }) => sum + byteSize, 0),
      addresses.length,
    );
    const send: ComposableSend = {
      ...previewSend(user, { subject: `${MARK}${subject}`, content, senderAddress, message }, this.clock.now()),
      id: newId(),
      attached: attached.length > 0,
    };
    const tags = message ? contactTagsOf(message) : [];
    const contact = await this.contactOf(user, asContactId, tags);
    const list = lists.find(({ name }) => name === contact?.listName) ?? lists[0];
    const prepared = new PreparedMessages(this.composer, this.composer.prepare(send));
    const tests: NewTest[] = [];
    for (const { address, hash } of addresses) {
      const id = newId();
      const { envelope, head, body, isPlain } = await prepared.for({
        deliveryId: id,
        emailListId: list?.id ?? user.id,
        email: address,
        name: null,
        listName: contact?.listName ?? list?.name ?? NO_LIST,
        unsubscribeToken: TEST_UNSUBSCRIBE,
        introductionDue: false,
        values: contact?.values ?? sampleValues(tags),
      });
      tests.push({
        id,
        addressHash: hash,
        contentHash,
        message: {
          envelope,
          head,
          body,
          isPlain,
          ...(attached.length > 0 && { attached: { baseBoundary: send.id, files: attached } }),
        },
      });
    }
    return tests;
  }

  private async contactOf(
    user: RequestUser,
    id: string | undefined,
    tags: readonly TagPiece[],
  ): Promise<PreviewRecipient | null> {
    if (id === undefined) return null;
    const contact = isUuid(id) ? await this.contacts.contact(user.id, id, tags) : null;
    if (!contact) throw notFound('Contact not found');
    return contact;
  }
}

/**
 * Parses the addresses and removes duplicates.
 * @throws 400
 */
function readAddresses(typed: readonly string[]): Address[] {
  const byNorm = new Map<string, Address>();
  for (const text of typed) {
    const address = parseAddress(text);
    if (!address) throw invalid('to', 'Please enter a valid email address');
    byNorm.set(address.norm, address);
  }
  return [...byNorm.values()];
}
