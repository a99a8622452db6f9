import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { rows } from '../../../shared/database/queries/rows.js';
import { networkOf } from '../../../shared/http/rate-limits/client-network.js';
import { clientOf } from '../../../shared/http/requests/request-user.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { AuthCookies } from './auth-cookies.service.js';
import { suspended, wrongCredentials } from '../auth.errors.js';
import type { LoginDto } from './register.dto.js';
import { PasswordHasher } from './password-hasher.service.js';
import { PasswordRehash } from './password-rehash.service.js';
import { SignInAttempts } from './sign-in-attempts.service.js';

interface Credential {
  user_id: string;
  password_hash: string;
  suspended: boolean;
}

/** Checks address and password. Answer and timing are the same whether the account exists or not. */
@Injectable()
export class SignIn {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly attempts: SignInAttempts,
    private readonly rehash: PasswordRehash,
    private readonly cookies: AuthCookies,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @returns the user's id
   * @throws 401, 403 `suspended`; 429 after ten failures from this network or device, or a hundred from all unknown
   * devices
   */
  async check(input: LoginDto, req: Request): Promise<string> {
    const norm = parseAddress(input.email)?.norm ?? '';
    const credential = await this.find(norm);
    const device = credential && this.cookies.knownDevice(req, credential.user_id);
    const client = clientOf(req);
    const attempt = { emailNorm: norm, ip: client.ip, device };
    await this.attempts.count(attempt);
    const caller = credential && device ? { knownAccount: credential.user_id } : { network: networkOf(client.ip) };
    const isRight = await this.hasher.verify(input.password, credential?.password_hash, caller);
    if (!credential) throw wrongCredentials();
    const refused = { kind: 'session.refused', userId: credential.user_id, actorId: null, client } as const;
    if (!isRight) {
      this.audit.note(refused);
      throw wrongCredentials();
    }
    await this.attempts.succeeded(attempt);
    if (credential.suspended) {
      this.audit.note({ ...refused, reason: 'The account is suspended' });
      throw suspended();
    }
    this.rehash.soon(credential.user_id, input.password, credential.password_hash);
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
