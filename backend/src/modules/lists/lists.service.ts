import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import type { SendableList } from './audience.service.js';

/** What other modules ask about lists. */
@Injectable()
export class Lists {
  /** The chosen lists in the order given (doubles once), or null when any of them is not the user's to send to. */
  async findSendable(_user: RequestUser, _ids: string[]): Promise<SendableList[] | null> {
    throw new Error('to come');
  }
}
