import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength, MinLength, registerDecorator, type ValidationOptions } from 'class-validator';
import { IANAZone } from 'luxon';
import { parseAddress } from '../../../shared/mail/address.js';
import { Trim } from '../../../shared/http/text.decorators.js';
import { ONE_LINE, ONE_LINE_FAULT } from '../../../shared/text/one-line.js';

export const INVALID_EMAIL = 'Please enter a valid email address';
/** Names stand in mails to people who do not know the sender yet: no web addresses and no numbers to call. */
const NAME = /^(?!.*(?::\/\/|\/|www\.))(?:[^\p{Nd}]*\p{Nd}){0,3}[^\p{Nd}]*$/iu;
const nameFault = ({ value }: { value: unknown }): string => `Names must not contain ${/[\p{Cc}\u2028\u2029]/u.test(String(value)) ? 'line breaks' : 'invisible characters'}`;

/** An address that mail can go to. */
export const EmailField = (): PropertyDecorator => applyDecorators(Trim(), check('isAddress', (value) => parseAddress(value) !== null, INVALID_EMAIL));

/** A person's first or last name: 1 to 100 characters, one line, no web address, at most three digits. */
export const NameField = (missing: string): PropertyDecorator =>
  applyDecorators(
    Trim(),
    IsString({ message: missing }),
    MinLength(1, { message: missing }),
    MaxLength(100, { message: 'Names can have at most 100 characters' }),
    Matches(NAME, { message: 'Names must not contain web addresses or numbers' }),
    Matches(ONE_LINE, { message: nameFault }),
  );

/** One line of text within a length. */
export const LineField = (max: number): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(max), Matches(ONE_LINE, { message: ONE_LINE_FAULT }));

/** A password's length; that it is not a common one is checked with the account's address at hand. */
export const NewPasswordField = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'Password must be at least 8 characters' }),
    MinLength(8, { message: 'Password must be at least 8 characters' }),
    MaxLength(256, { message: 'Password can have at most 256 characters' }),
  );

/** An IANA time zone that both this process and PostgreSQL know. */
export const TimeZoneField = (): PropertyDecorator =>
  check('isTimeZone', (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(value) && IANAZone.isValidZone(value), 'The time zone is not known');

/** A rule with a text of its own. */
function check(name: string, accepts: (value: unknown) => boolean, message: string): PropertyDecorator {
  const options: ValidationOptions = { message };
  return (target, property) => registerDecorator({ name, target: target.constructor, propertyName: String(property), options, validator: { validate: accepts } });
}
