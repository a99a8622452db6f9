import { Param, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/app-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

class UuidPipe implements PipeTransform<string, string> {
  constructor(private readonly message?: string) {}

  transform(value: string): string {
    if (!UUID.test(value)) throw notFound(this.message);
    return value.toLowerCase();
  }
}

/** A uuid in the path; a malformed one is a 404, like a missing one (decisions.md D32). @param message what a missing one is answered with, so that the two cannot be told apart */
export const UuidParam = (name: string, message?: string): ParameterDecorator => Param(name, new UuidPipe(message));
