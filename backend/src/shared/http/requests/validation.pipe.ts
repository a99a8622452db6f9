import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { Allow, type ValidationError } from 'class-validator';
import { AppError } from '../../errors/app-error.js';
import type { FieldFault } from '../responses/error-body.dto.js';

/** Limits the size of an error body: the number of fields, and the length of their names. */
const MAX_DETAILS = 20;
const MAX_FIELD_LENGTH = 100;

/** 400 `validation_failed`; its message is the text of the first field. */
export function validationFailed(details: FieldFault[]): AppError {
  return new AppError('validation_failed', 400, details[0]?.message ?? 'The request is not valid', {
    details: details.slice(0, MAX_DETAILS),
  });
}

/** Errors for fields that a call does not know. */
export const unknownFields = (fields: string[]): FieldFault[] =>
  fields.slice(0, MAX_DETAILS).map((field) => ({
    field: field.slice(0, MAX_FIELD_LENGTH),
    message: `Unknown field: ${field.slice(0, MAX_FIELD_LENGTH)}`,
  }));

const SKIPS_VALIDATION = 'http:skips-validation';

/**
 * Passes a field on without validation, because its handler checks it. Copying and checking thousands of nodes would
 * block the event loop.
 */
export const SkipValidation = (): PropertyDecorator => (target, name) => {
  Allow()(target, String(name));
  const before = (Reflect.getMetadata(SKIPS_VALIDATION, target) ?? []) as string[];
  Reflect.defineMetadata(SKIPS_VALIDATION, [...before, String(name)], target);
};

const unvalidatedFields = (type: ArgumentMetadata['metatype']): string[] =>
  type?.prototype ? ((Reflect.getMetadata(SKIPS_VALIDATION, type.prototype as object) ?? []) as string[]) : [];

/** Refuses bodies with unknown fields. Ignores unknown query parameters. */
@Injectable()
class StrictValidationPipe extends ValidationPipe {
  private readonly queries = new ValidationPipe({ ...OPTIONS, forbidNonWhitelisted: false });

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'query') return this.queries.transform(value, metadata);
    if (
      metadata.type === 'body' &&
      Array.isArray(value) &&
      metadata.metatype &&
      metadata.metatype !== Array &&
      this.toValidate(metadata)
    ) {
      throw validationFailed([{ field: 'body', message: 'The body must be a JSON object' }]);
    }
    const unvalidated = unvalidatedFields(metadata.metatype);
    if (metadata.type !== 'body' || unvalidated.length === 0 || typeof value !== 'object' || value === null)
      return super.transform(value, metadata);
    const checked: object = { ...value };
    const kept: Record<string, unknown> = {};
    for (const name of unvalidated) {
      if (!Object.hasOwn(checked, name)) continue;
      kept[name] = (checked as Record<string, unknown>)[name];
      // A placeholder, so that validators of other fields still see whether this field is present.
      (checked as Record<string, unknown>)[name] = kept[name] === null ? null : true;
    }
    return Object.assign((await super.transform(checked, metadata)) as object, kept);
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

/** Creates the validation pipe for all handlers. */
export const createValidationPipe = (): ValidationPipe => new StrictValidationPipe(OPTIONS);

function faultsOf(error: ValidationError, parent = ''): FieldFault[] {
  const field = (parent + error.property).slice(0, MAX_FIELD_LENGTH);
  const isUnknown = error.constraints?.whitelistValidation !== undefined;
  const own = isUnknown
    ? unknownFields([field])
    : Object.values(error.constraints ?? {})
        .slice(0, 1)
        .map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, `${field}.`))];
}
