import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../shared/text/formats.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Client } from '../../../shared/http/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { type Address, parseAddress } from '../../../shared/mail/address.js';
import { mintToken } from '../../../shared/tokens/tokens.js';
import type { SuppressionReason } from '../../../shared/enums.js';
import { writeProfile } from '../../contacts/index.js';
import { recordConsent } from '../unsubscribe/consent-log.js';
import type { SubscribeDto } from '../unsubscribe/consent.dto.js';
import type { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { EmailList } from '../entities/email-list.entity.js';
import { alreadySubscribed, confirmationPending, invalidEmail, listNotFound } from '../lists.errors.js';
import { ListOwners } from '../list-owners.service.js';
import { Suppressions } from '../unsubscribe/suppressions.service.js';

/**
 * Whether a bot filled in the form: `homepage` is a honeypot field that people cannot see or reach. API calls that omit
 * it are still bound by rate limits, throttles and double opt-in.
 */
export const isBot = ({ homepage }: Pick<SubscribeDto, 'homepage'>): boolean => Boolean(homepage);

interface ExistingContact {
  id: string;
  confirmed: boolean;
  suppressed: SuppressionReason | null;
  /**
   * Whether a confirmation mail requested by a visitor is pending or was processed in the last ten minutes, and after
   * the person last unsubscribed.
   */
  is_asked: boolean;
}

const ASKED: MessageDto = { message: "We've sent a confirmation link to verify your subscription." };
const FORMS = { list: 'public-list-page', landing: 'landing-page' } as const;

/**
 * First step of double opt-in: a visitor subscribes and the address is asked. The visitor may be a stranger, so an
 * existing contact is not changed; only a due mail and its type are recorded. The dispatcher decides whether to send
 * it, and the answer does not reveal the decision.
 */
@Injectable()
export class PublicSubscribe {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: Suppressions,
    private readonly owners: ListOwners,
    private readonly jobs: JobQueue,
  ) {}

  async subscribe(body: SubscribeDto, client: Client): Promise<MessageDto> {
    const address = parseAddress(body.email);
    if (!address) throw invalidEmail();
    if (isBot(body)) return ASKED;
    const list = await this.listOf(body.emailListId);
    await inTransaction(this.em, async (em) => {
      const contactId = (await this.insert(em, list, address, body)) ?? (await this.askAgain(em, list, address, body));
      await recordConsent(em, {
        kind: 'requested',
        how: 'form',
        addressHash: address.hash,
        addressNorm: address.norm,
        contactId,
        emailListId: list.id,
        ownerId: list.ownerId ?? null,
        form: body.emailListId ? FORMS.list : FORMS.landing,
        client,
        details: { listName: list.name, subscriptionType: body.subscriptionType },
      });
    });
    await this.jobs.kick('opt-in');
    return ASKED;
  }

  /** Finds the list. @throws 404, also if the owner may not send mail (unverified, suspended, deleted) */
  private async listOf(id: string | null | undefined): Promise<EmailList> {
    const wanted = id?.trim();
    const list = wanted
      ? isUuid(wanted)
        ? await this.em.findOne(EmailList, { id: wanted.toLowerCase() })
        : null
      : await this.em.findOne(EmailList, { isDefault: true });
    if (!list || !(await this.owners.isOpen(list))) throw listNotFound();
    return list;
  }

  /**
   * Inserts a contact. A person who unsubscribed before is Pending but hidden until the mailed link lifts the
   * suppression.
   */
  private async insert(
    em: EntityManager,
    list: EmailList,
    address: Address,
    body: SubscribeDto,
  ): Promise<string | undefined> {
    const reason = await this.suppressions.reasonFor(address.hash, list.ownerId ?? null, em);
    const copy = list.ownerId ? await writeProfile(em, { ownerId: list.ownerId, address, source: 'public' }) : null;
    const [added] = await rows<{ id: string }>(
      em,
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state, suppressed, profile_id, company_domain, name, first_name, last_name)
       values (?, ?, ?, ?, ?, ?, 'public', 'due', ?, ?, ?, ?, ?, ?)
       on conflict (email_list_id, email_norm) do nothing returning id`,
      [
        address.address,
        address.norm,
        address.hash,
        body.subscriptionType,
        mintToken(),
        list.id,
        reason,
        copy?.id,
        copy?.companyDomain,
        copy?.name,
        copy?.firstName,
        copy?.lastName,
      ],
    );
    return added?.id;
  }

  /**
   * Makes another confirmation mail due for an existing contact. Reads before it locks: of many concurrent requests
   * only one takes the lock, so they do not delay mail.
   */
  private async askAgain(em: EntityManager, list: EmailList, address: Address, body: SubscribeDto): Promise<string> {
    const [there] = await rows<ExistingContact>(
      em,
      `select id, confirmed, suppressed, ${IS_ASKED} as is_asked from subscriptions c where email_list_id = ? and email_norm = ?`,
      [list.id, address.norm],
    );
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
