import type { PipeTransform } from '@nestjs/common';
import { tagNotFound } from '../contacts.errors.js';

/** The id of a tag; a malformed one answers like a missing tag. */
export class TagIdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    const id = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : Infinity;
    if (id >= 2 ** 31) throw tagNotFound();
    return id;
  }
}
