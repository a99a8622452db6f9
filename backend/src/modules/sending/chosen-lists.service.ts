import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import { Lists, type SendableList } from '../lists/index.js';
import { unknownList } from './sending.errors.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The lists a send names; foreign, missing and malformed ids refuse the whole send alike. */
@Injectable()
export class ChosenLists {
  constructor(private readonly lists: Lists) {}

  async of(user: RequestUser, ids: readonly string[]): Promise<SendableList[]> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const found = wanted.every((id) => UUID.test(id)) ? await this.lists.findSendable(user, wanted) : null;
    if (!found) throw unknownList();
    return found;
  }
}
