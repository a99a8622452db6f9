import { Transform } from 'class-transformer';
import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength, ValidateBy, ValidateIf } from 'class-validator';
import { holdsAddressOrLink } from '../../text/contact-free-text.js';
import { MANY_LINES, ONE_LINE, ONE_LINE_FAULT } from '../../text/one-line.js';

/** Trims strings. Leaves other types unchanged, so that the validator refuses them. */
export const Trim = () => Transform(({ value }) => (typeof value === 'string' ? value.trim() : value));

/** Treats null as absent. */
export const AbsentIfNull = () => Transform(({ value }: { value: unknown }) => value ?? undefined);

/** Marks a field that may be absent but not null: it is validated if the request contains it. */
export const IfPresent = () => ValidateIf((_dto, value) => value !== undefined);

/** Trims strings. Treats null, empty and blank texts as absent. */
export const AbsentIfEmpty = () =>
  Transform(({ value }) => {
    if (value === null) return undefined;
    if (typeof value !== 'string') return value;
    return value.trim() === '' ? undefined : value.trim();
  });

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);
const emptyToNull = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() || null : value;

/** A required text, which is trimmed. */
export const RequiredText = (max: number, missing: string): PropertyDecorator =>
  applyDecorators(
    Transform(trimmed),
    IsString({ message: missing }),
    IsNotEmpty({ message: missing }),
    MaxLength(max),
    Matches(ONE_LINE, { message: ONE_LINE_FAULT }),
  );

/** An optional text, which is trimmed. Empty and null become null. */
export const OptionalText = (max: number, { multiline = false } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(emptyToNull),
    IsOptional(),
    IsString(),
    MaxLength(max),
    multiline
      ? Matches(MANY_LINES, { message: '$property must not contain control characters' })
      : Matches(ONE_LINE, { message: ONE_LINE_FAULT }),
  );

/** Refuses mail addresses, web addresses and hosts in a text that appears in unrequested mail. */
export const NoAddressOrLink = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'noAddressOrLink',
      validator: { validate: (value: unknown) => typeof value !== 'string' || !holdsAddressOrLink(value) },
    },
    { message: '$property must not contain a web or email address: people who never heard of you read it' },
  );

/**
 * Validation message for mail addresses. Services that parse addresses more strictly (parseAddress) use the same text.
 */
export const INVALID_EMAIL = 'Please enter a valid email address';

/** A mail address as typed. The service validates it with parseAddress. */
export const EmailText = (): PropertyDecorator =>
  applyDecorators(Transform(trimmed), IsString({ message: INVALID_EMAIL }), MaxLength(320, { message: INVALID_EMAIL }));

/** An https URL of a logo. Only browsers load the logo, never the server. */
export const LogoUrl = (): PropertyDecorator =>
  applyDecorators(
    Transform(emptyToNull),
    IsOptional(),
    IsString(),
    MaxLength(2048),
    Matches(/^https:\/\/[^\s/?#@\\"'<>][^\s/?#@\\"'<>.]*\.[^\s/?#@\\"'<>]+([/?#][^\s"'<>\\]*)?$/i, {
      message: 'The logo must be an https address',
    }),
  );
