import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, refusal, someone } from '../../../../test/fake-api';
import { openWizard, write, type OpenedWizard } from '../../../../test/send-kit';

const OWN = 'dana@northline.example';
const tester = (id: string, address: string, state = 'confirmed') => ({
  id,
  address,
  state,
  createdAt: '2026-01-05T10:00:00Z',
});
const mail = (id: string, status: string, over: object = {}) => ({
  id,
  address: OWN,
  status,
  reason: null,
  createdAt: '2026-01-05T10:00:00Z',
  ...over,
});

async function openDialog(answers: Record<string, unknown> = {}): Promise<OpenedWizard> {
  const opened = openWizard({
    'GET /api/testers': [],
    'GET /api/send-email/tests': [],
    'POST /api/send-email/test': answer({ sent: 1, message: 'Test sent to 1 address' }, 202),
    ...answers,
  });
  await write(opened);
  await opened.user.click(await screen.findByRole('button', { name: 'Send a test' }));
  await screen.findByRole('dialog', { name: 'Send a test' });
  return opened;
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Send a test' }));
const testsOf = ({ calls }: OpenedWizard) =>
  calls.filter(({ method, path }) => method === 'POST' && path === '/api/send-email/test').map(({ body }) => body);

describe('Send a test', () => {
  it('sends the draft to the ticked addresses, as made-up, and never the email itself', async () => {
    const opened = await openDialog({
      'GET /api/testers': [
        tester('t1', 'maya@northline.example'),
        tester('t2', 'omar@northline.example'),
        tester('t3', 'late@northline.example', 'waiting'),
      ],
      'POST /api/send-email/test': answer({ sent: 2, message: 'Test sent to 2 addresses' }, 202),
    });
    expect(await dialog().findByText('Waiting for confirmation')).toBeVisible();
    expect(dialog().getAllByText('Confirmed')).toHaveLength(2);
    expect(dialog().getByRole('checkbox', { name: OWN })).toBeChecked();
    expect(dialog().getByRole('checkbox', { name: 'late@northline.example' })).toBeDisabled();
    for (const name of ['maya@northline.example', 'omar@northline.example'])
      expect(dialog().getByRole('checkbox', { name })).not.toBeChecked();
    await opened.user.click(dialog().getByRole('checkbox', { name: 'maya@northline.example' }));
    await opened.user.click(dialog().getByRole('button', { name: 'Send test' }));
    expect(await screen.findByText('Test sent to 2 addresses')).toBeVisible();
    expect(testsOf(opened)).toEqual([
      {
        emailListIds: ['l1'],
        emailType: 'job-post',
        subject: 'A job',
        content: 'Hello there',
        to: [OWN, 'maya@northline.example'],
      },
    ]);
    expect(opened.sends()).toEqual([]);
  });

  it('takes the details of the recipient whose copy is shown', async () => {
    const opened = await openDialog({
      'POST /api/send-email/render': {
        subject: 'A job',
        preheader: '',
        html: '<html><head></head><body></body></html>',
        text: '',
        recipient: { contactId: 'c1', email: 'priya@acme.example', name: 'Priya Patel', listName: 'L', emptyTags: [] },
        next: null,
        previous: null,
      },
    });
    const asPriya = await dialog().findByRole('radio', { name: 'Priya Patel · priya@acme.example' });
    await opened.user.click(asPriya);
    await opened.user.click(dialog().getByRole('button', { name: 'Send test' }));
    await screen.findByText('Test sent to 1 address');
    await opened.user.click(dialog().getByRole('radio', { name: 'Made-up' }));
    await opened.user.click(dialog().getByRole('button', { name: 'Send test' }));
    await waitFor(() => expect(testsOf(opened)).toHaveLength(2));
    expect(testsOf(opened).map((body) => (body as { asContactId?: string }).asContactId)).toEqual(['c1', undefined]);
  });

  it("shows the server's sentence where it is refused, and keeps what is ticked", async () => {
    const opened = await openDialog({
      'GET /api/testers': [tester('t1', 'maya@northline.example')],
      'POST /api/send-email/test': refusal(429, 'rate_limited', 'You can send 30 tests an hour.'),
    });
    await opened.user.click(await dialog().findByRole('checkbox', { name: 'maya@northline.example' }));
    await opened.user.click(dialog().getByRole('checkbox', { name: OWN }));
    await opened.user.click(dialog().getByRole('button', { name: 'Send test' }));
    expect(await dialog().findByText(/You can send 30 tests an hour\./)).toBeVisible();
    expect(dialog().getByRole('checkbox', { name: OWN })).not.toBeChecked();
    expect(dialog().getByRole('checkbox', { name: 'maya@northline.example' })).toBeChecked();
    await opened.user.click(dialog().getByRole('checkbox', { name: 'maya@northline.example' }));
    expect(dialog().getByRole('button', { name: 'Send test' })).toBeDisabled();
  });

  it('adds a tester with Enter, without sending anything, and removes one', async () => {
    let testers = [tester('t1', 'maya@northline.example')];
    const opened = await openDialog({
      'GET /api/testers': () => testers,
      'POST /api/testers': () => {
        testers = [...testers, tester('t2', 'omar@northline.example', 'waiting')];
        return answer(testers[1], 201);
      },
      'DELETE /api/testers/t1': () => {
        testers = testers.slice(1);
        return answer(undefined, 204);
      },
    });
    const field = await dialog().findByRole('textbox', { name: 'Add a tester' });
    expect(field).toHaveAccessibleDescription('They get one mail to confirm. Then you can send them tests.');
    await opened.user.type(field, 'omar@northline.example{Enter}');
    expect(await dialog().findByText('Waiting for confirmation')).toBeVisible();
    expect(field).toHaveValue('');
    await opened.user.click(dialog().getByRole('button', { name: 'Remove maya@northline.example' }));
    await waitFor(() => expect(dialog().queryByText('maya@northline.example')).not.toBeInTheDocument());
    expect(testsOf(opened)).toEqual([]);
    expect(opened.sends()).toEqual([]);
  });

  it('says why a tester could not be added, keeps the address, and asks before it is lost', async () => {
    const opened = await openDialog({ 'POST /api/testers': refusal(409, 'too_many', 'You have 5 testers already') });
    const field = await dialog().findByRole('textbox', { name: 'Add a tester' });
    await opened.user.type(field, 'omar@northline.example');
    await opened.user.click(dialog().getByRole('button', { name: 'Add' }));
    expect(await dialog().findByText('You have 5 testers already')).toBeVisible();
    expect(field).toHaveValue('omar@northline.example');
    await opened.user.click(dialog().getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('alertdialog')).toBeVisible();
  });

  it('shows the last tests with their states', async () => {
    await openDialog({
      'GET /api/send-email/tests': [
        mail('m1', 'sent'),
        mail('m2', 'failed', { reason: 'mailbox unknown' }),
        mail('m3', 'sent', { address: null }),
      ],
    });
    const section = within(await screen.findByRole('region', { name: 'Last tests' }));
    expect(section.getAllByText('Accepted by the mail server')).toHaveLength(2);
    expect(section.getByText('Failed: mailbox unknown')).toBeVisible();
    expect(section.getByText('A removed tester')).toBeVisible();
  });

  it('asks for a verified address first', async () => {
    await openDialog({ 'GET /api/auth/user': someone({ isVerified: false }) });
    expect(dialog().getByText('Verify your email address first.')).toBeVisible();
    expect(dialog().getByRole('button', { name: 'Send test' })).toBeDisabled();
  });

  it('offers to load the testers again', async () => {
    let isDown = true;
    const opened = await openDialog({
      'GET /api/testers': () =>
        isDown ? refusal(500, 'internal', 'Broken') : [tester('t1', 'maya@northline.example')],
    });
    const retry = await dialog().findByRole('button', { name: 'Retry' });
    expect(dialog().getByText('Your testers could not be loaded.')).toBeVisible();
    isDown = false;
    await opened.user.click(retry);
    expect(await dialog().findByText('maya@northline.example')).toBeVisible();
  });
});
