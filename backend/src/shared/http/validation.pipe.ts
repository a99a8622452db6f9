import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError } from '../errors/app-error.js';
import type { FieldFault } from './error-body.dto.js';

/** An answer names so many fields at most, and so much of a name: it must not grow with what was sent. */
const MAX_DETAILS = 20;
const MAX_FIELD_LENGTH = 100;

/** 400 `validation_failed`; the first field's text is the message. */
export function validationFailed(details: FieldFault[]): AppError {
  return new AppError('validation_failed', 400, details[0]?.message ?? 'The request is not valid', { details: details.slice(0, MAX_DETAILS) });
}

/** The faults of fields that a call does not know. */
export const unknownFields = (fields: string[]): FieldFault[] =>
  fields.slice(0, MAX_DETAILS).map((field) => ({ field: field.slice(0, MAX_FIELD_LENGTH), message: `Unknown field: ${field.slice(0, MAX_FIELD_LENGTH)}` }));

/** Bodies are taken whole or not at all: an unknown field is refused; unknown query parameters are dropped. */
@Injectable()
class StrictValidationPipe extends ValidationPipe {
  private readonly queries = new ValidationPipe({ ...OPTIONS, forbidNonWhitelisted: false });

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'query') return this.queries.transform(value, metadata);
    if (metadata.type === 'body' && Array.isArray(value) && metadata.metatype && metadata.metatype !== Array && this.toValidate(metadata)) {
      throw validationFailed([{ field: 'body', message: 'The body must be a JSON object' }]);
    }
    return super.transform(value, metadata);
  }
}

const OPTIONS = {
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors: ValidationError[]) => validationFailed(errors.flatMap((error) => faultsOf(error))),
};

/** The pipe that every handler's input passes. */
export const createValidationPipe = (): ValidationPipe => new StrictValidationPipe(OPTIONS);

function faultsOf(error: ValidationError, parent = ''): FieldFault[] {
  const field = (parent + error.property).slice(0, MAX_FIELD_LENGTH);
  const isUnknown = error.constraints?.whitelistValidation !== undefined;
  const own = isUnknown ? unknownFields([field]) : Object.values(error.constraints ?? {}).slice(0, 1).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, `${field}.`))];
}
