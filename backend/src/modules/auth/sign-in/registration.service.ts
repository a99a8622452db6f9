import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../shared/database/queries/rows.js';
import { newId } from '../../../shared/database/queries/columns.js';
import { invalid } from '../../../shared/errors/app-error.js';
import { EventBus } from '../../../shared/events/event-bus.js';
import { networkOf } from '../../../shared/http/rate-limits/client-network.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import { type Address, parseAddress } from '../../../shared/mail/address.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { emailTaken } from '../auth.errors.js';
import { INVALID_EMAIL } from '../../../shared/http/requests/text.decorators.js';
import type { RegisterDto } from './register.dto.js';
import { AuthCredential } from '../entities/auth-credential.entity.js';
import { User } from '../entities/user.entity.js';
import { PasswordHasher } from './password-hasher.service.js';
import { PasswordRules } from '../passwords/password-rules.service.js';
import { mintReferralCode, referralKey } from '../plan/pending-referrals.service.js';
import { VerificationMail } from '../verification/verification-mail.service.js';
import { VisitorSessions } from '../sessions/visitor-sessions.service.js';

interface NewAccount {
  userId: string;
  address: Address;
  passwordHash: string;
  visitorId: string | null;
  client: Client;
}

/** Registers accounts. */
@Injectable()
export class Registration {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly mail: VerificationMail,
    private readonly events: EventBus,
    private readonly visitors: VisitorSessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates an unverified account.
   * @param visitorId key of the browser's visitor session; null if it has none
   * @returns the account's id
   * @throws 409 `email_taken`, also if two registrations with the same address run at the same time
   */
  async register(input: RegisterDto, client: Client, visitorId: string | null = null): Promise<string> {
    const address = parseAddress(input.email);
    if (!address) throw invalid('email', INVALID_EMAIL);
    this.rules.assertUncommon('password', input.password, address.address);
    if ((await this.em.fork().count(User, { emailNorm: address.norm })) > 0) throw emailTaken();
    const passwordHash = await this.hasher.hash(input.password, { network: networkOf(client.ip) });
    const userId = newId();
    await this.store({ userId, address, passwordHash, visitorId, client }, input);
    await this.mail.kick();
    await this.events.emit('user.registered', { userId, email: address.norm });
    return userId;
  }

  private async store(
    { userId, address, passwordHash, visitorId, client }: NewAccount,
    input: RegisterDto,
  ): Promise<void> {
    const { firstName, lastName, role } = input;
    try {
      await inTransaction(this.em, async (em) => {
        await em.insert(User, {
          id: userId,
          email: address.address,
          emailNorm: address.norm,
          firstName,
          lastName,
          role,
          agencyName: input.agencyName ?? null,
          timeZone: input.timeZone ?? 'UTC',
          referralCode: mintReferralCode(),
          referralRefs: await this.refs(em, input, visitorId),
        });
        await em.insert(AuthCredential, { userId, email: address.norm, passwordHash });
        await this.mail.enqueue(em, { userId, email: address.address, emailNorm: address.norm });
        await this.audit.record(em, { kind: 'account.registered', userId, client });
      });
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException && /email/.test(error.message)) throw emailTaken();
      throw error;
    }
  }

  /**
   * Referral references of the new account. An explicit reference takes precedence over the one that the browser's
   * visitor session remembers. A bad reference never makes the registration fail.
   */
  private async refs(
    em: EntityManager,
    { referralCode }: RegisterDto,
    visitorId: string | null,
  ): Promise<string[] | null> {
    const refs = [referralKey(referralCode), visitorId && (await this.visitors.takeReferral(em, visitorId))].flatMap(
      (ref) => ref || [],
    );
    return refs.length > 0 ? refs : null;
  }
}
