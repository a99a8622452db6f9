import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, page, refusal, someone } from '../../../test/fake-api';
import { scheduledEmail } from '../../../test/fixtures/schedule-fixtures';
import { openWizard, write, type OpenedWizard } from '../../../test/send-kit';

const main = () => within(screen.getByRole('main'));
const schedules = ({ calls }: OpenedWizard) =>
  calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/scheduled-sends'));

describe('the time when an email leaves', () => {
  it("is now, or at a set time in words; scheduling sends the draft's id and the time", async () => {
    const opened = openWizard({
      'GET /api/auth/user': someone({ timeZone: 'America/New_York' }),
      'POST /api/scheduled-sends': answer(scheduledEmail(), 201),
      'GET /api/scheduled-sends': page([scheduledEmail()]),
    });
    await write(opened);
    const group = within(await screen.findByRole('radiogroup', { name: 'When' }));
    expect(group.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual(['now', 'set']);
    expect(main().getByRole('button', { name: 'Send Email' })).toBeVisible();
    await opened.user.click(group.getByRole('radio', { name: 'At a set time' }));
    expect(await screen.findByText(/^Leaves \w{3}, \w{3} \d+ at \d+:00 [AP]M E[SD]T\.$/)).toBeVisible();
    await opened.user.click(main().getByRole('button', { name: 'Schedule Email' }));
    expect(await screen.findByText('Email Scheduled!')).toBeVisible();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/scheduled'));
    const [sent] = schedules(opened);
    expect(sent?.body).toMatchObject({
      send: { emailListIds: ['l1'], subject: 'A job', content: 'Hello there', draftId: 'd1' },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00$/),
      timeZone: 'America/New_York',
      later: false,
    });
    expect(sent?.headers.get('idempotency-key')).toContain('America/New_York');
    expect(opened.sends()).toHaveLength(0);
  });

  it('is kept on the screen with the reason where the server refuses it', async () => {
    const opened = openWizard({
      'POST /api/scheduled-sends': refusal(
        429,
        'daily_limit',
        'Your only email of Tue, Dec 1 is scheduled for 9:00 AM. Cancel it or choose another day.',
      ),
    });
    await write(opened);
    await opened.user.click(await screen.findByRole('radio', { name: 'At a set time' }));
    await screen.findByText(/^Leaves /);
    await opened.user.click(main().getByRole('button', { name: 'Schedule Email' }));
    expect(
      await main().findByText(/^Scheduling Failed: Your only email of Tue, Dec 1 is scheduled for 9:00 AM\./),
    ).toBeVisible();
    expect(main().getByRole('button', { name: 'Schedule Email' })).toBeEnabled();
  });

  it("is shown as taken where a scheduled email holds today's send", async () => {
    const opened = openWizard({
      'GET /api/auth/user': someone({
        entitlements: { plan: 'free', dailyLimit: 1, sentToday: 0, scheduledToday: 1, remainingToday: 0 },
      }),
    });
    await write(opened);
    expect(await screen.findByText(/^1 scheduled email holds what is left of your 1 send of today\./)).toBeVisible();
  });
});

describe('a scheduled email in the wizard', () => {
  it('is changed under the version that was read, without becoming a draft', async () => {
    const opened = openWizard(
      {
        'GET /api/scheduled-sends/s1': scheduledEmail({ version: 3 }),
        'PATCH /api/scheduled-sends/s1': scheduledEmail({ version: 4 }),
      },
      '/send?scheduled=s1',
    );
    const field = await screen.findByLabelText('Email content');
    await opened.user.type(field, '!');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await opened.user.click(await main().findByRole('button', { name: 'Schedule Email' }));
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/scheduled'));
    expect(schedules(opened).map(({ body }) => body)).toEqual([
      {
        send: { emailListIds: ['l1'], emailType: 'job-post', subject: 'Java hotlist', content: 'Hello there!' },
        version: 3,
      },
    ]);
    expect(opened.saves()).toHaveLength(0);
  });

  it('that was changed elsewhere can be reloaded', async () => {
    let version = 1;
    const opened = openWizard(
      {
        'GET /api/scheduled-sends/s1': () => scheduledEmail({ version: version++ }),
        'PATCH /api/scheduled-sends/s1': refusal(
          409,
          'version_conflict',
          'This email was changed elsewhere. Reload to see it.',
        ),
      },
      '/send?scheduled=s1&step=4',
    );
    await opened.user.click(await screen.findByRole('button', { name: 'Schedule Email' }));
    expect(
      await main().findByText('Scheduling Failed: This email was changed elsewhere. Reload to see it.'),
    ).toBeVisible();
    await opened.user.click(screen.getByRole('button', { name: 'Reload' }));
    await waitFor(() => expect(screen.queryByText(/Scheduling Failed/)).not.toBeInTheDocument());
    await opened.user.click(await screen.findByRole('button', { name: 'Schedule Email' }));
    await waitFor(() =>
      expect(schedules(opened).map(({ body }) => body)).toMatchObject([{ version: 1 }, { version: 2 }]),
    );
  });

  it.each([
    ['sent', 'h7', 'This email was sent.'],
    ['cancelled', null, 'This email was cancelled.'],
  ] as const)('that is %s cannot be changed', async (state, historyId, text) => {
    openWizard({ 'GET /api/scheduled-sends/s1': scheduledEmail({ state, historyId }) }, '/send?scheduled=s1');
    expect(await screen.findByText(text)).toBeVisible();
  });
});
