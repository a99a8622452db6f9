import { Injectable } from '@nestjs/common';
import { Accounts } from '../auth/index.js';
import { type ContactType, contactTypeOfRole, PRODUCT_NAME, type Role } from '../../shared/enums.js';
import { asOneLine } from '../../shared/text/one-line.js';
import type { EmailList } from './entities/email-list.entity.js';

/** Public details of a list's owner. */
export interface PublicOwnerDetails {
  agencyName: string | null;
  ownerName: string | null;
  subscriptionType: ContactType;
}

/** Contact type of lists whose owner has this role. A list whose owner is not known counts as a recruiter's. */
export const contactTypeOf = (role: Role | null): ContactType => contactTypeOfRole(role ?? 'recruiter');

/** Reads data about list owners. */
@Injectable()
export class ListOwners {
  constructor(private readonly accounts: Accounts) {}

  async publicDetails(list: EmailList): Promise<PublicOwnerDetails> {
    const owner = list.ownerId ? await this.accounts.byId(list.ownerId) : null;
    const agencyName = list.agencyName ?? owner?.agencyName ?? null;
    return {
      agencyName: agencyName && asOneLine(agencyName),
      ownerName: asOneLine(list.ownerName ?? (owner ? `${owner.firstName} ${owner.lastName}`.trim() : PRODUCT_NAME)),
      subscriptionType: contactTypeOf(owner?.role ?? null),
    };
  }

  /**
   * Whether a list's public page is available: its owner is verified, not suspended and not deleted. The default list
   * has no owner and is always available.
   */
  async isOpen(list: EmailList): Promise<boolean> {
    return !list.ownerId || (await this.accounts.inGoodStanding([list.ownerId])).has(list.ownerId);
  }
}
