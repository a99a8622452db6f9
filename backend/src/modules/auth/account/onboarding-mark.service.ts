import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';

/**
 * Records that a user has dismissed the checklist for new accounts. Stored with the account, so that the checklist
 * stays dismissed on every device.
 */
@Injectable()
export class OnboardingMark {
  constructor(private readonly em: EntityManager) {}

  async isDismissed(userId: string): Promise<boolean> {
    const [found] = await rows<{ dismissed: boolean }>(
      this.em.fork(),
      'select onboarding_dismissed_at is not null as dismissed from users where id = ?',
      [userId],
    );
    return found?.dismissed ?? false;
  }

  async dismiss(userId: string): Promise<void> {
    await changed(
      this.em.fork(),
      'update users set onboarding_dismissed_at = now() where id = ? and onboarding_dismissed_at is null',
      [userId],
    );
  }
}
