import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/app-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

@Injectable()
class UuidPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!UUID.test(value)) throw notFound();
    return value.toLowerCase();
  }
}

/** A uuid in the path; a malformed one is a 404, like a missing one (decisions.md D32). */
export const UuidParam = (name: string): ParameterDecorator => Param(name, UuidPipe);
