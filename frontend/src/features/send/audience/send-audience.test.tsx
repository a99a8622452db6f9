import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { page } from '../../../../test/fake-api';
import { excluded, fakeDrafts, openWizard, storedDraft } from '../../../../test/send-kit';

const segments = {
  'GET /api/segments': page([
    { id: 's1', name: 'Texas' },
    { id: 's2', name: 'Clients' },
  ]),
};
const previews = ({ calls }: ReturnType<typeof openWizard>) =>
  calls.filter(({ path }) => path === '/api/send-email/preview').map(({ body }) => body);

describe('the recipients of an email', () => {
  it('can be lists and segments', async () => {
    const opened = openWizard(segments);
    const { user, drafts } = opened;
    await user.click(await screen.findByRole('tab', { name: 'Segments' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Texas' }));
    expect(await screen.findByText('0 lists selected, 1 segment')).toBeVisible();
    await waitFor(() =>
      expect(previews(opened).at(-1)).toMatchObject({ emailListIds: [], emailType: 'job-post', segmentIds: ['s1'] }),
    );
    expect(await screen.findByText('408')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeEnabled();
    await user.click(screen.getByRole('tab', { name: 'Lists' }));
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    expect(await screen.findByText('1 list selected, 1 segment')).toBeVisible();
    await waitFor(() => expect(drafts.draft).toMatchObject({ emailListIds: ['l1'], segmentIds: ['s1'] }));
  });

  it('are chosen by a link to a segment', async () => {
    openWizard(segments, '/send?segment=s2');
    expect(await screen.findByText('0 lists selected, 1 segment')).toBeVisible();
  });

  it('are shown as an estimate where there are too many to count at once', async () => {
    const { user } = openWizard({
      ...segments,
      'POST /api/send-email/preview': { recipientCount: '412000', isAbout: true, excluded },
    });
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    expect(await screen.findByText('about 412,000')).toBeVisible();
    expect(screen.getByText(/The exact number, and who is left out/)).toBeVisible();
  });

  it('can be excluded, with the reasons and examples', async () => {
    const opened = openWizard({
      ...segments,
      'POST /api/send-email/preview': {
        recipientCount: '400',
        excluded: { ...excluded, doNotSend: 2, excludedList: 0, excludedSegment: 1, excludedHere: 1, companyCap: 10 },
        leftOut: [
          { email: 'jane@acme.example', reason: 'companyCap', detail: '2 others at acme.example get this send' },
        ],
      },
    });
    const { user, drafts } = opened;
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    await user.click(screen.getByRole('button', { name: 'Leave out' }));
    await user.click(screen.getByRole('combobox', { name: 'Segments' }));
    await user.click(await screen.findByRole('option', { name: 'Clients' }));
    await user.type(screen.getByRole('combobox', { name: 'Companies or addresses' }), 'client.example{Enter}');
    await user.click(screen.getByRole('switch', { name: 'At most' }));
    const cap = screen.getByRole('spinbutton', { name: 'Most people per company' });
    expect(cap).toHaveValue(2);
    await user.clear(cap);
    expect(screen.getByText('A number from 1 to 50')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await user.type(cap, '3');
    await waitFor(() =>
      expect(previews(opened).at(-1)).toMatchObject({
        emailListIds: ['l1'],
        excludeSegmentIds: ['s2'],
        excludeAddresses: ['client.example'],
        perCompany: { max: 3 },
      }),
    );
    expect(
      await screen.findByText(
        /2 addresses on your do-not-send list.*10 people at companies where enough others get it/,
      ),
    ).toBeVisible();
    await user.click(screen.getByText('Who, for example'));
    expect(screen.getByText('jane@acme.example: 2 others at acme.example get this send')).toBeVisible();
    await waitFor(() =>
      expect(drafts.draft).toMatchObject({ excludeAddresses: ['client.example'], perCompany: { max: 3 } }),
    );
  });

  it('of a stored draft can be corrected where a segment or list was deleted', async () => {
    const opened = openWizard(
      segments,
      '/send/d1',
      fakeDrafts(
        storedDraft({
          step: 1,
          emailListIds: ['l1'],
          segmentIds: ['gone1'],
          excludeListIds: ['gone2'],
          excludeSegmentIds: ['s2', 'gone3'],
        }),
      ),
    );
    const { user } = opened;
    for (const [name, noun] of [
      ['Lists', 'list'],
      ['Segments', 'segment'],
    ] as const) {
      const field = await screen.findByRole('combobox', { name });
      expect(await screen.findByText(`A ${noun} that no longer exists`)).toBeVisible();
      await user.click(field);
      await user.keyboard('{Backspace}{Escape}');
      await waitFor(() => expect(screen.queryByText(`A ${noun} that no longer exists`)).toBeNull());
    }
    await user.click(screen.getByRole('tab', { name: /^Segments/ }));
    await user.click(await screen.findByRole('checkbox', { name: 'A segment that no longer exists' }));
    await waitFor(() => {
      expect(previews(opened).at(-1)).toMatchObject({ emailListIds: ['l1'], excludeSegmentIds: ['s2'] });
      expect(previews(opened).at(-1)).not.toHaveProperty('segmentIds');
      expect(previews(opened).at(-1)).not.toHaveProperty('excludeListIds');
    });
  });

  it('of a stored draft are shown as they were saved, with a note where a segment was deleted', async () => {
    const drafts = fakeDrafts(
      storedDraft({ step: 1, emailListIds: ['l1'], excludeAddresses: ['client.example'], goneSegments: ['Texas'] }),
    );
    openWizard(segments, '/send/d1', drafts);
    expect(await screen.findByText('client.example')).toBeVisible();
    expect(screen.getByText('A segment that this email went to no longer exists: Texas.')).toBeVisible();
  });
});
