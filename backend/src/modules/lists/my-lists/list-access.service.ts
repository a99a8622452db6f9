import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EmailList } from '../entities/email-list.entity.js';
import { listNotFound } from '../lists.errors.js';

/** The properties of a caller that decide about access to lists. */
export interface ListUser {
  id: string;
  isAdmin: boolean;
}

/** Access to lists: users reach their own, admins the default list too. Every other list is treated as missing. */
@Injectable()
export class ListAccess {
  constructor(private readonly em: EntityManager) {}

  async require(user: ListUser, id: string): Promise<EmailList> {
    const list = await this.em.findOne(EmailList, {
      id,
      $or: [{ ownerId: user.id }, ...(user.isAdmin ? [{ isDefault: true }] : [])],
    });
    if (!list) throw listNotFound();
    return list;
  }
}

/** How long the undo button is shown after a deletion, in seconds. */
export const UNDO_SECONDS = 10;

/** How long the server accepts an undo: the button's time and some allowance for the network. */
const ACCEPTED_SECONDS = UNDO_SECONDS + 5;

/** SQL condition: the deletion at the time in this column can still be undone. */
export const isUndoable = (deletedAt: string): string =>
  `${deletedAt} > now() - interval '${ACCEPTED_SECONDS} seconds'`;

/** SQL condition: the deletion is final; the opposite of `isUndoable`. */
export const isFinal = (deletedAt: string): string => `${deletedAt} <= now() - interval '${ACCEPTED_SECONDS} seconds'`;
