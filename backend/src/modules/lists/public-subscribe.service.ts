import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { Client } from '../../shared/http/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { type Address, parseAddress } from '../../shared/mail/address.js';
import { mintToken } from '../../shared/tokens/tokens.js';
import type { SuppressionReason } from '../../shared/words/suppression.js';
import { recordConsent } from './consent-log.js';
import type { SubscribeDto } from './dto/consent.dto.js';
import type { MessageDto } from './dto/message.dto.js';
import { EmailList } from './entities/email-list.entity.js';
import { isTrapped } from './form-trap.js';
import { alreadySubscribed, confirmationPending, invalidEmail, listNotFound } from './lists.errors.js';
import { Owners } from './owners.service.js';
import { Suppressions } from './suppressions.service.js';

interface There {
  id: string;
  confirmed: boolean;
  suppressed: SuppressionReason | null;
  /** A confirmation mail that a visitor asked for waits, or one was settled within the last ten minutes (and since the person last left). */
  is_asked: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ASKED: MessageDto = { message: "We've sent a confirmation link to verify your subscription." };
const FORMS = { list: 'public-list-page', landing: 'landing-page' } as const;

/**
 * The first half of double opt-in: a visitor asks, and the address is asked back. Whoever fills in the form may be a stranger, so it changes
 * nothing about a contact that is there: it only notes that a mail is due, and for which type. Whether that mail goes is the dispatcher's
 * to decide; the answer never tells.
 */
@Injectable()
export class PublicSubscribe {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: Suppressions,
    private readonly owners: Owners,
    private readonly jobs: JobQueue,
  ) {}

  async subscribe(body: SubscribeDto, client: Client): Promise<MessageDto> {
    const address = parseAddress(body.email);
    if (!address) throw invalidEmail();
    if (isTrapped(body)) return ASKED;
    const list = await this.listOf(body.emailListId);
    await this.em.transactional(async (em) => {
      const contactId = (await this.insert(em, list, address, body)) ?? (await this.askAgain(em, list, address, body));
      await recordConsent(em, {
        kind: 'requested', how: 'form', addressHash: address.hash, addressNorm: address.norm, contactId, emailListId: list.id, ownerId: list.ownerId ?? null,
        form: body.emailListId ? FORMS.list : FORMS.landing, client, details: { listName: list.name, subscriptionType: body.subscriptionType },
      });
    });
    await this.jobs.kick('opt-in');
    return ASKED;
  }

  /** @throws 404 also where its owner may have no mail go out: unverified, suspended, closed */
  private async listOf(id: string | null | undefined): Promise<EmailList> {
    const wanted = id?.trim();
    const list = wanted ? (UUID.test(wanted) ? await this.em.findOne(EmailList, { id: wanted.toLowerCase() }) : null) : await this.em.findOne(EmailList, { isDefault: true });
    if (!list || !(await this.owners.isOpen(list))) throw listNotFound();
    return list;
  }

  /** A new contact; one who had left before is Pending out of sight until the mailed link lifts the suppression. */
  private async insert(em: EntityManager, list: EmailList, address: Address, body: SubscribeDto): Promise<string | undefined> {
    const reason = await this.suppressions.reasonFor(address.hash, list.ownerId ?? null, em);
    const [added] = await rows<{ id: string }>(
      em,
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state, suppressed)
       values (?, ?, ?, ?, ?, ?, 'public', 'due', ?)
       on conflict (email_list_id, email_norm) do nothing returning id`,
      [address.address, address.norm, address.hash, body.subscriptionType, mintToken(), list.id, reason],
    );
    return added?.id;
  }

  /** Reads before it locks: of visitors who ask at once all but one are told so and hold up nobody's mail. */
  private async askAgain(em: EntityManager, list: EmailList, address: Address, body: SubscribeDto): Promise<string> {
    const [there] = await rows<There>(em, `select id, confirmed, suppressed, ${IS_ASKED} as is_asked from subscriptions c where email_list_id = ? and email_norm = ?`, [list.id, address.norm]);
    if (!there) throw confirmationPending();
    if (there.confirmed && there.suppressed === null) throw alreadySubscribed();
    if (there.is_asked) throw confirmationPending();
    const [due] = await rows<{ id: string }>(
      em,
      `update subscriptions c set opt_in_state = 'due', opt_in_due_at = now(), opt_in_source = 'public', opt_in_type = ?
       where id = ? and not (confirmed and suppressed is null) and not ${IS_ASKED} returning id`,
      [body.subscriptionType, there.id],
    );
    if (!due) throw confirmationPending();
    return due.id;
  }
}

const IS_ASKED = `(
  (c.opt_in_state = 'due' and coalesce(c.opt_in_source, c.source) = 'public')
  or (c.opt_in_state = 'sent' and coalesce(c.confirmation_sent_at > greatest(now() - interval '10 minutes', c.unsubscribed_at), false))
  or (c.opt_in_state = 'none' and coalesce(c.opt_in_source, c.source) = 'public' and c.opt_in_due_at > greatest(now() - interval '10 minutes', c.unsubscribed_at)))`;
