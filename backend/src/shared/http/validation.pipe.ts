import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError } from '../errors/app-error.js';
import type { FieldFault } from './error-body.dto.js';

/** 400 `validation_failed`; the first field's text is the message. */
export function validationFailed(details: FieldFault[]): AppError {
  return new AppError('validation_failed', 400, details[0]?.message ?? 'The request is not valid', { details });
}

/** Bodies are taken whole or not at all: an unknown field is refused (decisions.md D32); unknown query parameters are dropped. */
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
  const field = parent + error.property;
  const unknown = error.constraints?.whitelistValidation !== undefined;
  const own = Object.values(error.constraints ?? {}).slice(0, 1)
    .map((message) => ({ field, message: unknown ? `Unknown field: ${field.slice(0, 100)}` : message }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, `${field}.`))];
}
