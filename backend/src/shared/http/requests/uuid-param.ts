import { Param, type PipeTransform } from '@nestjs/common';
import { isUuid } from '../../text/formats.js';
import { notFound } from '../../errors/app-error.js';

class UuidPipe implements PipeTransform<string, string> {
  constructor(private readonly message?: string) {}

  transform(value: string): string {
    if (!isUuid(value)) throw notFound(this.message);
    return value.toLowerCase();
  }
}

/**
 * A uuid path parameter. A malformed uuid gets 404, like a missing object.
 * @param message text of the 404; must be the same as for a missing object
 */
export const UuidParam = (name: string, message?: string): ParameterDecorator => Param(name, new UuidPipe(message));
