import { Injectable } from '@nestjs/common';
import { invalid } from '../../../shared/errors/app-error.js';
import { localPartOf, parseAddress } from '../../../shared/mail/address.js';
import { PRODUCT_NAME } from '../../../shared/enums.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

const COMMON = new Set(COMMON_PASSWORDS);
/**
 * Number of characters that may follow the user's address or the product's name in a password that is still refused.
 */
const DECORATION = 4;

/** Refuses common passwords, and passwords that are derived from the account's own data. */
@Injectable()
export class PasswordRules {
  /**
   * @param field name of the password field in the request
   * @param email address of the account
   * @throws 400
   */
  assertUncommon(field: string, password: string, email: string): void {
    const plain = plainOf(password);
    if (isMonotonous(plain) || isOwn(plain, email) || COMMON.has(plain))
      throw invalid(field, 'This password is too common. Choose another.');
  }
}

const plainOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Whether a text repeats one character, or is an ascending or descending sequence: aaaaaaaa, 87654321. */
function isMonotonous(plain: string): boolean {
  const points = Array.from(plain, (character) => character.codePointAt(0)!);
  const step = (points[1] ?? 0) - points[0]!;
  return Math.abs(step) <= 1 && points.every((point, n) => n === 0 || point - points[n - 1]! === step);
}

/**
 * Whether a text is the account's address, the address's local part or the product's name, followed by at most
 * DECORATION characters.
 */
function isOwn(plain: string, email: string): boolean {
  const address = plainOf(parseAddress(email)?.address ?? email);
  const local = localPartOf(address);
  const words = [address, plainOf(email), local, local.split('+')[0]!, plainOf(PRODUCT_NAME)];
  return words.some((word) => word.length > 0 && plain.startsWith(word) && plain.length - word.length <= DECORATION);
}
