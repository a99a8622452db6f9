import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength, MinLength, registerDecorator, type ValidationOptions } from 'class-validator';
import { IANAZone } from 'luxon';
import { parseAddress } from '../../../shared/mail/address.js';
import { Trim } from '../../../shared/http/text.decorators.js';

export const INVALID_EMAIL = 'Please enter a valid email address';
const ONE_LINE = /^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u;

/** An address that mail can go to. */
export const EmailField = (): PropertyDecorator => applyDecorators(Trim(), check('isAddress', (value) => parseAddress(value) !== null, INVALID_EMAIL));

/** A person's first or last name: 1 to 100 characters, one line, no direction marks. */
export const NameField = (missing: string): PropertyDecorator =>
  applyDecorators(
    Trim(),
    IsString({ message: missing }),
    MinLength(1, { message: missing }),
    MaxLength(100, { message: 'Names can have at most 100 characters' }),
    Matches(ONE_LINE, { message: 'Names must not contain line breaks' }),
  );

/** One line of text within a length. */
export const LineField = (max: number): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(max), Matches(ONE_LINE, { message: '$property must not contain line breaks' }));

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
