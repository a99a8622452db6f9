import { applyDecorators } from '@nestjs/common';
import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { Trim } from '../../../shared/http/requests/text.decorators.js';
import { MANY_LINES } from '../../../shared/text/one-line.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';

const MISSING = 'Please enter a note';

/** Validates the text of a note: it may have several lines, but no control characters. */
export const RequiredNote = (): PropertyDecorator =>
  applyDecorators(
    Trim(),
    IsString({ message: MISSING }),
    IsNotEmpty({ message: MISSING }),
    MaxLength(CONTACT_LIMITS.note, { message: `A note can have at most ${CONTACT_LIMITS.note} characters` }),
    Matches(MANY_LINES, { message: 'The note must not contain control characters' }),
  );
