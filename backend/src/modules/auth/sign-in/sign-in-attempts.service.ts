import { Injectable } from '@nestjs/common';
import { AppError } from '../../../shared/errors/app-error.js';
import { RateLimits, tooMany } from '../../../shared/http/rate-limits/rate-limits.service.js';
import { hashToken } from '../../../shared/tokens/tokens.js';

/** A sign-in attempt: the account and where the attempt comes from. */
export interface SignInAttempt {
  /**
   * Normalised address. Attempts count even if it has no account, so that the limits do not reveal whether it has one.
   */
  emailNorm: string;
  ip: string;
  /** Id of the browser if the account has signed in on it before. */
  device?: string;
}

const UNKNOWN_DEVICES = 'new-devices';

/**
 * Limits failed sign-ins per account: ten in 15 minutes from one network, and a hundred in 24 hours from all networks
 * together, so that many addresses do not help an attacker. Each known device has limits of its own, so that strangers
 * cannot lock the owner out. A browser that uses a mailed link (reset, verification) becomes a known device.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly limits: RateLimits) {}

  /**
   * Counts an attempt. Call it before the password is checked, so that parallel attempts cannot exceed the limit.
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

  /** Resets the failures from this network or device after a correct password. Failures from elsewhere still count. */
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
