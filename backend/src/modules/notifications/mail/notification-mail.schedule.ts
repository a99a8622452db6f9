import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { DailySummary } from './daily-summary.service.js';
import { ImmediateMail } from './immediate-mail.service.js';
import { NotificationWithdrawal, SummaryWithdrawal } from './notification-mail-withdrawal.js';

const NOW_EVERY_MS = 5_000;
const SUMMARY_EVERY_MS = 60_000;

/** Mails notifications, on one worker at a time. */
@Injectable()
export class NotificationMailSchedule {
  private readonly log = new Logger(NotificationMailSchedule.name);

  constructor(
    private readonly single: SingleRunner,
    private readonly immediate: ImmediateMail,
    private readonly summary: DailySummary,
    private readonly withdrawal: NotificationWithdrawal,
    private readonly summaryWithdrawal: SummaryWithdrawal,
  ) {}

  @Interval(NOW_EVERY_MS)
  mailNow(): Promise<void> {
    return this.run('notifications.now', () => this.immediate.round());
  }

  @Interval(SUMMARY_EVERY_MS)
  async mailSummaries(): Promise<void> {
    await this.run('notifications.summary', async () => {
      await this.withdrawal.withdraw();
      await this.summaryWithdrawal.withdraw();
      await this.summary.round();
    });
  }

  private async run(name: string, task: () => Promise<void>): Promise<void> {
    await this.single
      .run(name, task)
      .catch((error: unknown) =>
        this.log.error(
          { err: error, code: 'notifications_not_mailed' },
          'notifications could not be mailed; the next round tries again',
        ),
      );
  }
}
