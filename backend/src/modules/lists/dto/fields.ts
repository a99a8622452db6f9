import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { MANY_LINES, ONE_LINE, ONE_LINE_FAULT } from '../../../shared/text/one-line.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);
const emptyToNull = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() || null : value);

/** A text that must say something, trimmed. */
export const RequiredText = (max: number, missing: string): PropertyDecorator =>
  applyDecorators(
    Transform(trimmed),
    IsString({ message: missing }),
    IsNotEmpty({ message: missing }),
    MaxLength(max),
    Matches(ONE_LINE, { message: ONE_LINE_FAULT }),
  );

/** A text that may be missing: trimmed, empty or null counts as absent (null). */
export const OptionalText = (max: number, { multiline = false } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(emptyToNull),
    IsOptional(),
    IsString(),
    MaxLength(max),
    multiline ? Matches(MANY_LINES, { message: '$property must not contain control characters' }) : Matches(ONE_LINE, { message: ONE_LINE_FAULT }),
  );

/** The text of product.md §5 for an address that is none; parseAddress in the services is stricter and says the same. */
export const INVALID_EMAIL = 'Please enter a valid email address';

/** An address as typed; parseAddress decides later whether it is one. */
export const EmailText = (): PropertyDecorator =>
  applyDecorators(Transform(trimmed), IsString({ message: INVALID_EMAIL }), MaxLength(320, { message: INVALID_EMAIL }));

/** An https address that only browsers load (decisions.md D37). */
export const LogoUrl = (): PropertyDecorator =>
  applyDecorators(
    Transform(emptyToNull),
    IsOptional(),
    IsString(),
    MaxLength(2048),
    Matches(/^https:\/\/[^\s/?#@\\"'<>][^\s/?#@\\"'<>.]*\.[^\s/?#@\\"'<>]+([/?#][^\s"'<>\\]*)?$/i, { message: 'The logo must be an https address' }),
  );
