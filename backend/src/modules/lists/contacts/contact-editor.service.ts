import { ForeignKeyConstraintViolationException, LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { type Actor, AuditTrail } from '../../auth/index.js';
import { writeProfile } from '../../contacts/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { type Address, parseAddress } from '../../../shared/mail/address.js';
import { mintToken } from '../../../shared/tokens/tokens.js';
import { CONTACT_COLUMNS, contactView, type ShownContact } from './contact-reader.service.js';
import { nameParts } from './name-parts.js';
import { MembershipNames } from '../profiles/membership-names.js';
import type { AddContactDto, ContactDto, UpdateContactDto } from './contact.dto.js';
import type { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { Contact } from '../entities/contact.entity.js';
import type { EmailList } from '../entities/email-list.entity.js';
import { ListAccess } from '../my-lists/list-access.service.js';
import {
  alreadyConfirmed,
  alreadyResent,
  askedLately,
  askedTwice,
  contactExists,
  contactNotFound,
  emailUnverified,
  heldForReview,
  invalidEmail,
  listNotFound,
  suppressedAddress,
} from '../lists.errors.js';
import { AskRecords } from '../outreach/ask-records.service.js';
import { contactTypeOf } from '../list-owners.service.js';
import { PlanLimits } from '../my-lists/plan-limits.service.js';
import { Suppressions } from '../unsubscribe/suppressions.service.js';

/**
 * Keeps a contact's unsubscribe link valid after the contact is deleted; runs in the caller's transaction (see
 * decisions.md: unsubscribe-links).
 */
export async function retireLink(em: EntityManager, contactId: string, listId: string): Promise<void> {
  await rows(
    em,
    `insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
     select c.unsubscribe_token, c.email, c.email_norm, c.email_hash, l.owner_id, l.id, l.name
     from subscriptions c join email_lists l on l.id = c.email_list_id
     where c.id = ? and c.email_list_id = ?
     on conflict (token) do nothing`,
    [contactId, listId],
  );
}

/** Adds and edits single contacts. */
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
    private readonly names: MembershipNames,
  ) {}

  /**
   * Adds a contact. It is Pending, whoever adds it, and gets a confirmation mail (see decisions.md: consent-by-mail).
   */
  async add(user: RequestUser, listId: string, body: AddContactDto): Promise<ContactDto> {
    const address = requireAddress(body.email);
    const list = await this.access.require(user, listId);
    const added = await retryDeadlocks(() =>
      inTransaction(this.em, (em) => this.insert(em, user, list, address, body)),
    ).catch(asApiError);
    await this.jobs.kick('opt-in');
    return added;
  }

  /**
   * Changes a contact. A changed address may belong to another person, so the contact becomes Pending with new links,
   * while the old unsubscribe link still suppresses the old address.
   */
  async update(user: RequestUser, listId: string, contactId: string, body: UpdateContactDto): Promise<ContactDto> {
    const address = body.email === undefined ? null : requireAddress(body.email);
    const list = await this.access.require(user, listId);
    const change = async (em: EntityManager): Promise<{ contact: Contact; isAnother: boolean }> => {
      await this.names.lockProfile(em, contactId);
      const found = await em.findOne(
        Contact,
        { id: contactId, emailListId: list.id },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      if (!found) throw contactNotFound();
      const changed = address !== null && address.norm !== found.emailNorm;
      if (changed) await this.readdress(em, list, found, address);
      else if (address) found.email = address.address;
      const isRenamed = body.name !== undefined && body.name !== (found.name ?? null);
      if (isRenamed) Object.assign(found, { name: body.name, ...nameParts(body.name) });
      await em.flush();
      if (isRenamed && found.profileId) await this.names.renameAll(em, found.profileId, found);
      if (list.isDefault)
        await this.audit.recordAction(em, actorOf(user), { kind: 'network.contact_changed', detail: found.email });
      return { contact: found, isAnother: changed };
    };
    const { contact, isAnother } = await retryDeadlocks(() => inTransaction(this.em, change)).catch(asApiError);
    if (isAnother) await this.jobs.kick('opt-in');
    const {
      id,
      email,
      name = null,
      subscriptionType,
      confirmed,
      suppressed = null,
      createdAt,
      profileId = null,
    } = contact;
    return { id, email, name, subscriptionType, confirmed, suppressed, createdAt, profileId };
  }

  /** Resends the confirmation mail, once per contact. The dispatcher's throttles apply too. */
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

  /** Refuses the request at once if the dispatcher would refuse to send the mail. */
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

  private async insert(
    em: EntityManager,
    user: RequestUser,
    list: EmailList,
    address: Address,
    body: AddContactDto,
  ): Promise<ContactDto> {
    if (!list.isDefault) await this.limits.reserveContacts(em, user.id, 1);
    const [there] = await rows<ShownContact>(
      em,
      `select ${CONTACT_COLUMNS} from subscriptions where email_list_id = ? and email_norm = ?`,
      [list.id, address.norm],
    );
    if (there && (there.suppressed === null || there.suppressed === 'bounced')) throw contactExists();
    const reason = there?.suppressed ?? (await this.suppressions.reasonFor(address.hash, list.ownerId ?? null, em));
    if (reason) throw suppressedAddress(reason);
    const given = { name: body.name ?? null, ...nameParts(body.name) };
    const copy = list.ownerId
      ? await writeProfile(em, { ownerId: list.ownerId, address, ...given, source: 'owner' })
      : { id: null, companyDomain: null, ...given };
    const [added] = await rows<ShownContact>(
      em,
      `insert into subscriptions (email, email_norm, email_hash, name, first_name, last_name, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state, profile_id, company_domain)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'due', ?, ?)
       on conflict (email_list_id, email_norm) do nothing returning ${CONTACT_COLUMNS}`,
      [
        address.address,
        address.norm,
        address.hash,
        copy.name,
        copy.firstName,
        copy.lastName,
        body.subscriptionType ?? contactTypeOf(user.role),
        mintToken(),
        list.id,
        list.isDefault ? 'admin' : 'owner',
        copy.id,
        copy.companyDomain,
      ],
    );
    if (!added) throw contactExists();
    if (list.isDefault)
      await this.audit.recordAction(em, actorOf(user), { kind: 'network.contact_added', detail: address.address });
    return contactView(added);
  }

  private async readdress(em: EntityManager, list: EmailList, contact: Contact, address: Address): Promise<void> {
    const reason = await this.suppressions.reasonFor(address.hash, list.ownerId ?? null, em);
    if (reason) throw suppressedAddress(reason);
    await retireLink(em, contact.id, list.id);
    const { name = null, firstName = null, lastName = null } = contact;
    const copy = list.ownerId
      ? await writeProfile(em, { ownerId: list.ownerId, address, name, firstName, lastName, source: 'owner' })
      : { id: null, companyDomain: null, name, firstName, lastName };
    Object.assign(contact, {
      email: address.address,
      emailNorm: address.norm,
      emailHash: address.hash,
      name: copy.name,
      firstName: copy.firstName,
      lastName: copy.lastName,
      profileId: copy.id,
      companyDomain: copy.companyDomain,
      unsubscribeToken: mintToken(),
      confirmed: false,
      confirmedAt: null,
      confirmationToken: null,
      confirmationTokenExpires: null,
      confirmationSentAt: null,
      confirmationResentAt: null,
      optInState: 'due',
      optInDueAt: new Date(),
      optInSource: null,
      optInType: null,
      confirmationSource: null,
      confirmationType: null,
      suppressed: null,
      unsubscribedAt: null,
      introductionDue: false,
      importId: null,
      consent: null,
      source: list.isDefault ? 'admin' : 'owner',
    } satisfies Partial<Contact>);
  }
}

/** The actor of a change to the default list, for the audit trail. */
const actorOf = ({ id }: { id: string }): Actor => ({ id, client: null });

function requireAddress(email: string): Address {
  const address = parseAddress(email);
  if (!address) throw invalidEmail();
  return address;
}

/** Maps constraint violations to API errors: a concurrent request added the address or deleted the list. */
function asApiError(error: unknown): never {
  if (error instanceof UniqueConstraintViolationException) throw contactExists();
  if (error instanceof ForeignKeyConstraintViolationException) throw listNotFound();
  throw error;
}
