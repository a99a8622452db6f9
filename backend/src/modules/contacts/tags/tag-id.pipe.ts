import type { PipeTransform } from '@nestjs/common';
import { tagNotFound } from '../contacts.errors.js';

/** Parses the id of a tag. A malformed id is answered like that of a missing tag. */
export class TagIdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    const id = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : Infinity;
    if (id >= 2 ** 31) throw tagNotFound();
    return id;
  }
}
