import { ForeignKeyConstraintViolationException, LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import { type Actor, AuditTrail } from '../auth/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { type Address, parseAddress } from '../../shared/mail/address.js';
import { mintToken } from '../../shared/tokens/tokens.js';
import { retireLink } from './contact-links.js';
import { contactView } from './contact-reader.service.js';
import type { AddContactDto, ContactDto, UpdateContactDto } from './dto/contact.dto.js';
import type { MessageDto } from './dto/message.dto.js';
import { Contact } from './entities/contact.entity.js';
import type { EmailList } from './entities/email-list.entity.js';
import { ListAccess } from './list-access.service.js';
import {
  alreadyConfirmed, alreadyResent, askedLately, askedTwice, contactExists, contactNotFound, emailUnverified, heldForReview, invalidEmail, listNotFound, suppressedAddress,
} from './lists.errors.js';
import { AskRecords } from './outreach/ask-records.service.js';
import { contactTypeOf } from './owners.service.js';
import { PlanLimits } from './plan-limits.service.js';
import { Suppressions } from './suppressions.service.js';

const SHOWN = 'id, email, name, subscription_type, confirmed, suppressed, created_at';
type ShownRow = Parameters<typeof contactView>[0];

/** Adds, changes and removes single contacts. */
@Injectable()
export class ContactEditor {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly suppressions: Suppressions,
    private readonly limits: PlanLimits,
    private readonly jobs: JobQueue,
    private readonly audit: AuditTrail,
    private readonly asks: AskRecords,
  ) {}

  /** A new contact starts Pending, whoever adds it; its confirmation mail follows (decisions.md D18). */
  async add(user: RequestUser, listId: string, body: AddContactDto): Promise<ContactDto> {
    const address = requireAddress(body.email);
    const list = await this.access.require(user, listId);
    const added = await this.em.transactional((em) => this.insert(em, user, list, address, body)).catch(asApiError);
    await this.jobs.kick('opt-in');
    return added;
  }

  /** A changed address is another person's: Pending again, with new links; the old link still takes the old address off (D16, D23). */
  async update(user: RequestUser, listId: string, contactId: string, body: UpdateContactDto): Promise<ContactDto> {
    const address = body.email === undefined ? null : requireAddress(body.email);
    const list = await this.access.require(user, listId);
    const { contact, isAnother } = await this.em
      .transactional(async (em) => {
        const found = await em.findOne(Contact, { id: contactId, emailListId: list.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (!found) throw contactNotFound();
        const changed = address !== null && address.norm !== found.emailNorm;
        if (changed) await this.readdress(em, list, found, address);
        else if (address) found.email = address.address;
        if (body.name !== undefined) found.name = body.name;
        await em.flush();
        if (list.isDefault) await this.audit.recordAct(em, actorOf(user), { kind: 'network.contact_changed', detail: found.email });
        return { contact: found, isAnother: changed };
      })
      .catch(asApiError);
    if (isAnother) await this.jobs.kick('opt-in');
    const { id, email, name, subscriptionType, confirmed, suppressed, createdAt } = contact;
    return { id, email, name: name ?? null, subscriptionType, confirmed, suppressed: suppressed ?? null, createdAt };
  }

  async remove(user: RequestUser, listId: string, contactId: string): Promise<void> {
    const list = await this.access.require(user, listId);
    await this.em.transactional(async (em) => {
      const [gone] = await rows<{ email: string }>(em, 'delete from subscriptions where id = ? and email_list_id = ? returning email', [contactId, list.id]);
      if (!gone) throw contactNotFound();
      if (list.isDefault) await this.audit.recordAct(em, actorOf(user), { kind: 'network.contact_removed', detail: gone.email });
    });
  }

  /** Once per contact; the throttles of the dispatcher hold for it too. */
  async resend(user: RequestUser, listId: string, contactId: string): Promise<MessageDto> {
    const list = await this.access.require(user, listId);
    if (!user.isVerified) throw emailUnverified();
    await this.refuseIfAskedOften(list, contactId);
    const taken = await rows(
      this.em,
      `update subscriptions set opt_in_state = 'due', opt_in_due_at = now(), opt_in_source = null, opt_in_type = null, confirmation_resent_at = now()
       where id = ? and email_list_id = ? and not confirmed and suppressed is null and opt_in_state <> 'held' and confirmation_resent_at is null
       returning id`,
      [contactId, list.id],
    );
    if (taken.length === 0) throw await this.whyNotResent(list, contactId);
    await this.jobs.kick('opt-in');
    return { message: 'Confirmation email sent' };
  }

  /** The dispatcher would not send it; better said at once. */
  private async refuseIfAskedOften(list: EmailList, contactId: string): Promise<void> {
    const contact = await this.em.findOne(Contact, { id: contactId, emailListId: list.id }, { refresh: true });
    if (!contact || contact.confirmed || contact.suppressed) return;
    const may = await this.asks.mayOwnerAsk(this.em, list, contact);
    if (may !== 'yes') throw may === 'asked_twice' ? askedTwice() : askedLately();
  }

  private async whyNotResent(list: EmailList, contactId: string): Promise<Error> {
    const contact = await this.em.findOne(Contact, { id: contactId, emailListId: list.id }, { refresh: true });
    if (!contact) return contactNotFound();
    if (contact.suppressed) return suppressedAddress(contact.suppressed);
    if (contact.confirmed) return alreadyConfirmed();
    return contact.optInState === 'held' ? heldForReview() : alreadyResent();
  }

  private async insert(em: EntityManager, user: RequestUser, list: EmailList, address: Address, body: AddContactDto): Promise<ContactDto> {
    if (!list.isDefault) await this.limits.reserveContact(em, user.id);
    const [there] = await rows<ShownRow>(em, `select ${SHOWN} from subscriptions where email_list_id = ? and email_norm = ?`, [list.id, address.norm]);
    if (there && (there.suppressed === null || there.suppressed === 'bounced')) throw contactExists();
    const reason = there?.suppressed ?? (await this.suppressions.reasonFor(address.hash, list.ownerId ?? null, em));
    if (reason) throw suppressedAddress(reason);
    const [added] = await rows<ShownRow>(
      em,
      `insert into subscriptions (email, email_norm, email_hash, name, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state)
       values (?, ?, ?, ?, ?, ?, ?, ?, 'due')
       on conflict (email_list_id, email_norm) do nothing returning ${SHOWN}`,
      [
        address.address, address.norm, address.hash, body.name ?? null, body.subscriptionType ?? contactTypeOf(user.role), mintToken(), list.id,
        list.isDefault ? 'admin' : 'owner',
      ],
    );
    if (!added) throw contactExists();
    if (list.isDefault) await this.audit.recordAct(em, actorOf(user), { kind: 'network.contact_added', detail: address.address });
    return contactView(added);
  }

  private async readdress(em: EntityManager, list: EmailList, contact: Contact, address: Address): Promise<void> {
    const reason = await this.suppressions.reasonFor(address.hash, list.ownerId ?? null, em);
    if (reason) throw suppressedAddress(reason);
    await retireLink(em, contact.id, list.id);
    Object.assign(contact, {
      email: address.address, emailNorm: address.norm, emailHash: address.hash, unsubscribeToken: mintToken(), confirmed: false, confirmedAt: null,
      confirmationToken: null, confirmationTokenExpires: null, confirmationSentAt: null, confirmationResentAt: null, optInState: 'due',
      optInDueAt: new Date(), optInSource: null, optInType: null, confirmationSource: null, confirmationType: null, suppressed: null, unsubscribedAt: null, introductionDue: false, importId: null, consent: null,
      source: list.isDefault ? 'admin' : 'owner',
    } satisfies Partial<Contact>);
  }
}

/** The default list is the team's: what is done to it stands in the audit trail (decisions.md D42). */
const actorOf = ({ id }: { id: string }): Actor => ({ id, client: null });

function requireAddress(email: string): Address {
  const address = parseAddress(email);
  if (!address) throw invalidEmail();
  return address;
}

/** What the database's rules say of a race: the address came in meanwhile, or the list went. */
function asApiError(error: unknown): never {
  if (error instanceof UniqueConstraintViolationException) throw contactExists();
  if (error instanceof ForeignKeyConstraintViolationException) throw listNotFound();
  throw error;
}
