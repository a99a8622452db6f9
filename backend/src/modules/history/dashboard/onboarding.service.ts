import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../../shared/http/index.js';
import { OnboardingMark } from '../../auth/index.js';
import { Lists } from '../../lists/index.js';
import type { OnboardingDto } from './dashboard.dto.js';
import { HistorySearch } from '../history-search.service.js';

/** Onboarding progress of a new account, derived from the account's data. */
@Injectable()
export class Onboarding {
  constructor(
    private readonly lists: Lists,
    private readonly history: HistorySearch,
    private readonly mark: OnboardingMark,
  ) {}

  async of(user: RequestUser): Promise<OnboardingDto> {
    const [totals, sends, dismissed] = await Promise.all([
      this.lists.totalsOf(user.id),
      this.history.newest(user, 1),
      this.mark.isDismissed(user.id),
    ]);
    return {
      verified: user.isVerified,
      hasList: totals.totalLists > 0,
      hasContact: totals.totalContacts > 0,
      hasConfirmed: totals.activeLists > 0,
      hasSent: sends.length > 0,
      dismissed,
    };
  }

  /** Dismisses the checklist permanently. */
  dismiss(user: RequestUser): Promise<void> {
    return this.mark.dismiss(user.id);
  }
}
