import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { type RequestUser, tooMany } from '../../../shared/http/index.js';
import { type Address, hashMailbox, parseAddress } from '../../../shared/mail/address.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { hashToken, isTokenShaped, mintToken } from '../../../shared/tokens/tokens.js';
import { Accounts } from '../../auth/index.js';
import {
  AskRecords,
  ConfirmationMailLimit,
  OutreachBudget,
  type OutreachSender,
  TESTER_MAIL,
} from '../../lists/index.js';
import {
  invalidTester,
  ownAddressAsTester,
  testerLinkExpired,
  tooManyTesters,
  unknownTester,
  unknownTesterLink,
  verifyFirst,
} from '../composing.errors.js';
import { testerMail } from './tester.email.js';

/** Maximum number of testers of one user. */
const MAX_TESTERS = 5;
const LINK_DAYS = 30;
const HOUR_MS = 3_600_000;

export interface StoredTester {
  id: string;
  address: string;
  confirmedAt: Date | null;
  createdAt: Date;
}

const COLUMNS = `id, address, confirmed_at as "confirmedAt", created_at as "createdAt"`;

/** Stores the addresses to which a user may send tests. */
@Injectable()
export class Testers {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: SystemMailOutbox,
    private readonly budget: OutreachBudget,
    private readonly asks: AskRecords,
    private readonly limit: ConfirmationMailLimit,
    private readonly accounts: Accounts,
    private readonly settings: Settings,
  ) {}

  all(userId: string, em = this.em.fork()): Promise<StoredTester[]> {
    return rows<StoredTester>(em, `select ${COLUMNS} from testers where user_id = ? order by created_at, id`, [userId]);
  }

  /** The confirmed testers among these addresses, as hashes in hex. */
  async confirmed(em: EntityManager, userId: string, addressHashes: readonly Buffer[]): Promise<Set<string>> {
    const found = await rows<{ hash: string }>(
      em,
      `select encode(address_hash, 'hex') as hash from testers where user_id = ? and confirmed_at is not null
         and address_hash = any (array(select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb)))`,
      [userId, JSON.stringify(addressHashes.map((hash) => hash.toString('hex')))],
    );
    return new Set(found.map(({ hash }) => hash));
  }

  /**
   * Adds a tester, or mails an unconfirmed one again. The result is the same if the address accepts no such mail, so
   * that it does not reveal who unsubscribed, complained or opted out.
   * @throws 400 for an invalid address or the user's own, 403 if the user is not verified or not in good standing,
   * 409 if the user has the maximum number of testers, 429 if the address was asked recently or the day's budget
   * is used up
   */
  async add(user: RequestUser, typed: string): Promise<StoredTester> {
    if (!user.isVerified) throw verifyFirst();
    const address = parseAddress(typed);
    if (!address) throw invalidTester();
    if (address.norm === user.emailNorm) throw ownAddressAsTester();
    const sender = (await this.budget.sendersOf([user.id])).get(user.id);
    if (!sender) throw verifyFirst();
    const tester = await inTransaction(this.em, (em) => this.write(em, user, sender, address));
    await this.outbox.kick();
    return tester;
  }

  /** @throws 404 */
  async remove(userId: string, id: string): Promise<void> {
    const removed = await changed(this.em.fork(), `delete from testers where id = ? and user_id = ?`, [id, userId]);
    if (removed === 0) throw unknownTester();
  }

  /**
   * Confirms a tester by the token of the mail. Further calls change nothing.
   * @returns name of the user who may now send tests
   * @throws 404 for an unknown token, 410 for an expired one
   */
  async confirm(token: string): Promise<string> {
    if (!isTokenShaped(token)) throw unknownTesterLink();
    const em = this.em.fork();
    const [found] = await rows<{ name: string; isOpen: boolean }>(
      em,
      `select concat_ws(' ', u.first_name, u.last_name) as name,
              (t.confirmed_at is not null or t.asked_at > now() - make_interval(days => ${LINK_DAYS})) as "isOpen"
       from testers t join users u on u.id = t.user_id where t.token_hash = ?`,
      [hashToken(token)],
    );
    if (!found) throw unknownTesterLink();
    if (!found.isOpen) throw testerLinkExpired();
    await changed(em, `update testers set confirmed_at = now() where token_hash = ? and confirmed_at is null`, [
      hashToken(token),
    ]);
    return found.name;
  }

  private async write(
    em: EntityManager,
    user: RequestUser,
    sender: OutreachSender,
    address: Address,
  ): Promise<StoredTester> {
    if (!(await this.accounts.holdInGoodStanding(em, [user.id], 'wait')).has(user.id)) throw verifyFirst();
    const mailbox = hashMailbox(address.norm);
    // Takes the locks in a fixed order, so that two calls cannot deadlock.
    for (const key of [`user:${user.id}`, `mailbox:${mailbox.toString('hex')}`])
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('composing.tester.' || ?::text, 0))`, [key]);
    const [known] = await rows<StoredTester>(
      em,
      `select ${COLUMNS} from testers where user_id = ? and address_hash = ?`,
      [user.id, address.hash],
    );
    if (known?.confirmedAt) return known;
    if (!known && (await this.all(user.id, em)).length >= MAX_TESTERS) throw tooManyTesters();
    const waitMs = await this.limit.waitMs(em, mailbox, user.id);
    if (waitMs > 0) throw tooMany(waitMs, 'This address was asked a short while ago. Please try again later.');
    const [granted] = await this.budget.take(em, [{ sender, invites: 1 }]);
    if (granted?.own !== 1)
      throw tooMany(
        Math.max(1, (this.budget.opensAt(sender, 'own')?.getTime() ?? Date.now() + HOUR_MS) - Date.now()),
        'You have asked as many people as you can today. Please try again later.',
      );
    const token = mintToken();
    const [written] = await rows<StoredTester>(
      em,
      `insert into testers (user_id, address, address_hash, token_hash) values (?, ?, ?, ?)
       on conflict (user_id, address_hash) do update set token_hash = excluded.token_hash, asked_at = now()
       returning ${COLUMNS}`,
      [user.id, address.address, address.hash, hashToken(token)],
    );
    await this.mail(em, user, address, token);
    return written!;
  }

  /**
   * Writes the confirmation mail. For an address that accepts no such mail, the mail is stored and withdrawn: it counts
   * toward the limits, so that the limits do not reveal such addresses.
   */
  private async mail(em: EntityManager, user: RequestUser, address: Address, token: string): Promise<void> {
    const { appUrl, postalAddress } = this.settings;
    const account = { name: `${user.firstName} ${user.lastName}`, email: user.email };
    const id = await this.outbox.enqueue(em, {
      kind: TESTER_MAIL,
      to: address.address,
      recipientHash: address.hash,
      subjectId: user.id,
      priority: 'unasked',
      content: testerMail(`${appUrl}/testers/confirm?token=${token}`, account, postalAddress),
    });
    if (!(await this.asks.mayInvite(em, user.id, address))) await this.outbox.withdraw(em, id, 'Not to be asked');
  }
}
