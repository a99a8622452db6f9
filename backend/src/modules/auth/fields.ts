import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength, MinLength, registerDecorator, type ValidationOptions } from 'class-validator';
import { IANAZone } from 'luxon';
import { parseAddress } from '../../shared/mail/address.js';
import { INVALID_EMAIL, Trim } from '../../shared/http/requests/text.decorators.js';
import { ONE_LINE, ONE_LINE_FAULT } from '../../shared/text/one-line.js';

/** Names must not contain web addresses or telephone numbers, because they appear in mail to strangers. */
const NAME = /^(?!.*(?::\/\/|\/|www\.))(?:[^\p{Nd}]*\p{Nd}){0,3}[^\p{Nd}]*$/iu;
const nameFault = ({ value }: { value: unknown }): string =>
  `Names must not contain ${/[\p{Cc}\u2028\u2029]/u.test(String(value)) ? 'line breaks' : 'invisible characters'}`;

/** A deliverable mail address. */
export const EmailField = (): PropertyDecorator =>
  applyDecorators(
    Trim(),
    check('isAddress', (value) => parseAddress(value) !== null, INVALID_EMAIL),
  );

/** First or last name: 1 to 100 characters, one line, no web address, at most three digits. */
export const NameField = (missing: string): PropertyDecorator =>
  applyDecorators(
    Trim(),
    IsString({ message: missing }),
    MinLength(1, { message: missing }),
    MaxLength(100, { message: 'Names can have at most 100 characters' }),
    Matches(NAME, { message: 'Names must not contain web addresses or numbers' }),
    Matches(ONE_LINE, { message: nameFault }),
  );

/** One line of text with a maximum length. */
export const LineField = (max: number): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(max), Matches(ONE_LINE, { message: ONE_LINE_FAULT }));

/**
 * Checks the length of a new password. PasswordRules checks whether it is common, because this requires the account's
 * address.
 */
export const NewPasswordField = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'Password must be at least 8 characters' }),
    MinLength(8, { message: 'Password must be at least 8 characters' }),
    MaxLength(256, { message: 'Password can have at most 256 characters' }),
  );

/** An IANA time zone that Node and PostgreSQL both know. */
export const TimeZoneField = (): PropertyDecorator =>
  check(
    'isTimeZone',
    (value) =>
      typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(value) && IANAZone.isValidZone(value),
    'The time zone is not known',
  );

/** A validation rule with its own message. */
function check(name: string, accepts: (value: unknown) => boolean, message: string): PropertyDecorator {
  const options: ValidationOptions = { message };
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: { validate: accepts },
    });
}
