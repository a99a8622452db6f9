import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Role } from '../../shared/words/role.js';
import { User } from './entities/user.entity.js';

/** What people change about themselves. */
@Injectable()
export class Profile {
  constructor(private readonly em: EntityManager) {}

  async changeRole(userId: string, role: Role): Promise<void> {
    await this.em.fork().nativeUpdate(User, { id: userId }, { role, updatedAt: new Date() });
  }

  async changeName(userId: string, name: { firstName: string; lastName: string }): Promise<void> {
    await this.em.fork().nativeUpdate(User, { id: userId }, { firstName: name.firstName, lastName: name.lastName, updatedAt: new Date() });
  }
}
