import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { rows } from '../../shared/database/rows.js';
import { clientOf } from '../../shared/http/client-of.js';
import { RateLimits } from '../../shared/http/rate-limits.service.js';
import { parseAddress } from '../../shared/mail/address.js';
import { hashToken } from '../../shared/tokens/tokens.js';
import { AuditTrail } from './audit-trail.service.js';
import { AuthCookies } from './auth-cookies.service.js';
import { suspended, wrongCredentials } from './auth.errors.js';
import type { LoginDto } from './dto/login.dto.js';
import { PasswordHasher } from './password-hasher.service.js';

interface Credential {
  user_id: string;
  password_hash: string;
  suspended: boolean;
}

/** Checks an address and a password: the same answer and the same time whether or not the address exists. */
@Injectable()
export class SignIn {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly limits: RateLimits,
    private readonly cookies: AuthCookies,
    private readonly audit: AuditTrail,
  ) {}

  /** @returns the user's id @throws 401, 403 `suspended`, 429 after ten failures for this account from here */
  async check(input: LoginDto, req: Request): Promise<string> {
    const norm = parseAddress(input.email)?.norm ?? '';
    const credential = await this.find(norm);
    const device = credential && this.cookies.knownDevice(req, credential.user_id);
    const key = `${hashToken(norm)}:${device ?? clientOf(req).ip}`;
    // Counted before the work and forgotten on success: parallel guesses cannot slip past a count that is taken after.
    await this.limits.consume('sign-in', key);
    const isRight = await this.hasher.verify(input.password, credential?.password_hash);
    if (!credential) throw wrongCredentials();
    const refused = { kind: 'session.refused', userId: credential.user_id, actorId: null, client: clientOf(req) } as const;
    if (!isRight) {
      this.audit.note(refused);
      throw wrongCredentials();
    }
    await this.limits.reset('sign-in', key);
    if (credential.suspended) {
      this.audit.note({ ...refused, reason: 'The account is suspended' });
      throw suspended();
    }
    return credential.user_id;
  }

  private async find(norm: string): Promise<Credential | undefined> {
    const [row] = await rows<Credential>(
      this.em,
      `select c.user_id, c.password_hash, u.suspended_at is not null as suspended
       from auth_credentials c join users u on u.id = c.user_id where c.email = ?`,
      [norm],
    );
    return row;
  }
}
