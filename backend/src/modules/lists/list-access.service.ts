import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EmailList } from './entities/email-list.entity.js';
import { listNotFound } from './lists.errors.js';

/** As much of the caller as decides about lists. */
export interface ListUser {
  id: string;
  isAdmin: boolean;
}

/** Whose list is whose: one's own, and for admins the default list too (decisions.md D21). All else does not exist. */
@Injectable()
export class ListAccess {
  constructor(private readonly em: EntityManager) {}

  async require(user: ListUser, id: string): Promise<EmailList> {
    const list = await this.em.findOne(EmailList, { id, $or: [{ ownerId: user.id }, ...(user.isAdmin ? [{ isDefault: true }] : [])] });
    if (!list) throw listNotFound();
    return list;
  }
}
