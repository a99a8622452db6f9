import { Injectable } from '@nestjs/common';
import { AppError } from '../../../shared/errors/app-error.js';
import { RateLimits, tooMany } from '../../../shared/http/rate-limits/rate-limits.service.js';
import { hashToken } from '../../../shared/tokens/tokens.js';

/** A sign-in attempt: account and origin. */
export interface SignInAttempt {
  /** Normalised address, whether or not it has an account: both are counted, so that the limits reveal nothing. */
  emailNorm: string;
  ip: string;
  /** Id of the device if the account has signed in on it before. */
  device?: string;
}

const UNKNOWN_DEVICES = 'new-devices';

/**
 * Limits failed sign-ins: ten in 15 minutes per client network, and a hundred in 24 hours per account over all
 * networks, which a pool of addresses cannot evade. A known device has both limits to itself, so that strangers cannot
 * lock the owner out. Using a mailed link (reset, verification) makes a browser a known device.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly limits: RateLimits) {}

  /**
   * Counts the attempt before the password is checked, so that parallel attempts cannot exceed the limit.
   * @throws 429
   */
  async count(attempt: SignInAttempt): Promise<void> {
    const { device, ip } = attempt;
    const account = accountKey(attempt);
    if (device) await this.limits.consume('sign-in', `${account}:${device}`);
    else await this.limits.consumeByClient('sign-in', ip, `${account}:`);
    await this.limits.consume(
      'sign-in-account',
      `${account}:${device ?? UNKNOWN_DEVICES}`,
      device ? tooMany : tooManyFromUnknownDevices,
    );
  }

  /** Clears failures from this origin after a correct password; failures from elsewhere stay counted. */
  async succeeded(attempt: SignInAttempt): Promise<void> {
    const { device, ip } = attempt;
    const account = accountKey(attempt);
    if (device) await this.limits.reset('sign-in', `${account}:${device}`);
    else await this.limits.resetByClient('sign-in', ip, `${account}:`);
    await this.limits.giveBack('sign-in-account', `${account}:${device ?? UNKNOWN_DEVICES}`);
  }
}

const accountKey = ({ emailNorm }: SignInAttempt): string => hashToken(emailNorm);

const tooManyFromUnknownDevices = (ms: number): AppError =>
  tooMany(
    ms,
    'Too many failed sign-ins from new devices. Sign in on a device you have used before, or reset your password: the mailed link works here.',
  );
