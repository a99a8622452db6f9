import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { type KeyRing, keyRing } from '../../../shared/tokens/key-ring.js';
import { isTokenShaped } from '../../../shared/tokens/tokens.js';

const ID_BYTES = 16;

/**
 * Links in notification mails to the page that turns these mails off. The token consists of the account's id and half
 * of an HMAC over the id, so no row is stored and the link does not expire. The link gives access to that page only.
 */
@Injectable()
export class NotificationLinks {
  private readonly keys: KeyRing;

  constructor(private readonly settings: Settings) {
    this.keys = keyRing(settings, 'notification-link');
  }

  /** URL of the page; mail programs also POST to it (RFC 8058). */
  urlFor(userId: string): string {
    const id = Buffer.from(userId.replaceAll('-', ''), 'hex');
    const token = Buffer.concat([id, proofOf(id, this.keys.current)]).toString('base64url');
    return `${this.settings.appUrl}/mail-settings/${token}`;
  }

  /** Id of the account that a token names. @returns null for a token that this app has not issued */
  read(token: string): string | null {
    if (!isTokenShaped(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const [id, proof] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
    if (!this.keys.accepted.some((key) => timingSafeEqual(proofOf(id, key), proof))) return null;
    return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

const proofOf = (id: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(id).digest().subarray(0, ID_BYTES);
