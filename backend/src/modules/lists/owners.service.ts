import { Injectable } from '@nestjs/common';
import { Accounts } from '../auth/index.js';
import type { ContactType } from '../../shared/words/contact-type.js';
import { asOneLine } from '../../shared/text/one-line.js';
import { PRODUCT_NAME } from '../../shared/words/product.js';
import type { Role } from '../../shared/words/role.js';
import type { EmailList } from './entities/email-list.entity.js';

/** What the public sees of whoever is behind a list. */
export interface PublicSide {
  agencyName: string | null;
  ownerName: string | null;
  subscriptionType: ContactType;
}

/** What people on a list of someone in this role get (decisions.md D20). */
export const contactTypeOf = (role: Role | null): ContactType => (role === 'bench-sales' ? 'candidate-lists' : 'job-posts');

/** What lists need to know of their owners. */
@Injectable()
export class Owners {
  constructor(private readonly accounts: Accounts) {}

  async publicSide(list: EmailList): Promise<PublicSide> {
    const owner = list.ownerId ? await this.accounts.byId(list.ownerId) : null;
    const agencyName = list.agencyName ?? owner?.agencyName ?? null;
    return {
      agencyName: agencyName && asOneLine(agencyName),
      ownerName: asOneLine(list.ownerName ?? (owner ? `${owner.firstName} ${owner.lastName}`.trim() : PRODUCT_NAME)),
      subscriptionType: contactTypeOf(owner?.role ?? null),
    };
  }

  /** Whether a list's public side is there: its owner is verified, not suspended and not closed. The network has no owner and is always open. */
  async isOpen(list: EmailList): Promise<boolean> {
    return !list.ownerId || (await this.accounts.inGoodStanding([list.ownerId])).has(list.ownerId);
  }
}
