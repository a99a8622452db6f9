import { Injectable } from '@nestjs/common';
import { AppError } from '../../shared/errors/app-error.js';
import { RateLimits, tooMany } from '../../shared/http/rate-limits.service.js';
import { hashToken } from '../../shared/tokens/tokens.js';

/** A try to sign in: to which account, from where. */
export interface SignInAttempt {
  /** Normalised address, of an account or of none: both are counted, so that the limits tell nobody which exist. */
  emailNorm: string;
  ip: string;
  /** The device's name where the account has signed in on it before. */
  device?: string;
}

const ELSEWHERE = 'new-devices';

/**
 * Counts failed sign-ins. Two limits: by client network (ten in 15 minutes), and by account over all networks (a hundred in 24 hours),
 * which a pool of addresses cannot pass. A device that the account has signed in on before has both to itself, so that strangers'
 * guesses never lock the owner out; a browser that used a mailed link (reset, verification) is such a device.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly limits: RateLimits) {}

  /** Counts the attempt before its password is looked at: parallel guesses cannot slip past a count that is taken after. @throws 429 */
  async count(attempt: SignInAttempt): Promise<void> {
    const { device, ip } = attempt;
    const account = accountKey(attempt);
    if (device) await this.limits.consume('sign-in', `${account}:${device}`);
    else await this.limits.consumeByClient('sign-in', ip, `${account}:`);
    await this.limits.consume('sign-in-account', `${account}:${device ?? ELSEWHERE}`, device ? tooMany : tooManyElsewhere);
  }

  /** The password was right: forgets the wrong ones from this place; those from elsewhere stay counted. */
  async succeeded(attempt: SignInAttempt): Promise<void> {
    const { device, ip } = attempt;
    const account = accountKey(attempt);
    if (device) await this.limits.reset('sign-in', `${account}:${device}`);
    else await this.limits.resetByClient('sign-in', ip, `${account}:`);
    await this.limits.giveBack('sign-in-account', `${account}:${device ?? ELSEWHERE}`);
  }
}

const accountKey = ({ emailNorm }: SignInAttempt): string => hashToken(emailNorm);

const tooManyElsewhere = (ms: number): AppError =>
  tooMany(ms, 'Too many failed sign-ins from new devices. Sign in on a device you have used before, or reset your password: the mailed link works here.');
