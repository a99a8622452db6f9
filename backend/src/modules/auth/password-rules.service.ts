import { Injectable } from '@nestjs/common';
import { invalid } from '../../shared/errors/app-error.js';
import { parseAddress } from '../../shared/mail/address.js';
import { PRODUCT_NAME } from '../../shared/words/product.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

const COMMON = new Set(COMMON_PASSWORDS);
/** Letters or digits that may follow one's own name without making it a password. */
const DECORATION = 4;

/** Which passwords are refused beside those of a wrong length: the commonest ones, and what anybody knows of the account. */
@Injectable()
export class PasswordRules {
  /** @param field the password's name in the request @param email the account's address @throws 400 */
  assertUncommon(field: string, password: string, email: string): void {
    const plain = plainOf(password);
    if (isMonotonous(plain) || isOwn(plain, email) || COMMON.has(plain)) throw invalid(field, 'This password is too common. Choose another.');
  }
}

const plainOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** One character again and again, or an unbroken run of them: aaaaaaaa, 87654321. */
function isMonotonous(plain: string): boolean {
  const points = Array.from(plain, (character) => character.codePointAt(0)!);
  const step = (points[1] ?? 0) - points[0]!;
  return Math.abs(step) <= 1 && points.every((point, n) => n === 0 || point - points[n - 1]! === step);
}

/** The account's address, the part before its @, or the product's name, bare or with a few characters behind. */
function isOwn(plain: string, email: string): boolean {
  const address = plainOf(parseAddress(email)?.address ?? email);
  const local = address.slice(0, address.lastIndexOf('@'));
  const words = [address, plainOf(email), local, local.split('+')[0]!, plainOf(PRODUCT_NAME)];
  return words.some((word) => word.length > 0 && plain.startsWith(word) && plain.length - word.length <= DECORATION);
}
