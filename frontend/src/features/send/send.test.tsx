import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { changed, emptyDraft, mayGoOn } from './draft';
import { leftOut } from './left-out';
import { blanksIn, holdsTypedText, templates } from './templates';

const list = (id: string, name: string, contactCount: number) => ({ id, name, slug: id, description: null, agencyName: null, agencyLogo: null, ownerName: null, contactCount, isDefault: false, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' });
const excluded = { pending: 3, otherType: 0, suppressed: 1, duplicates: 0 };

function open(answers: Record<string, unknown> = {}, path = '/send') {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-lists': page([list('l1', 'Java vendors', 412), list('l2', 'Bench partners', 1)]),
    'GET /api/email-history': page([]),
    'POST /api/send-email/preview': { recipientCount: '408', excluded },
    'POST /api/send-email': answer({ id: 'h1', status: 'pending', recipientCount: '408', message: 'On its way to 408 recipients.' }, 202),
    ...answers,
  });
  return { calls, sends: () => calls.filter((call) => call.path === '/api/send-email'), ...renderApp(path) };
}
type Opened = ReturnType<typeof open>;

async function write({ user }: Opened, content = 'Hello there') {
  await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.type(screen.getByLabelText('Subject line'), 'A job{Enter}');
  await user.type(screen.getByLabelText('Email content'), content);
  await user.click(screen.getByRole('button', { name: 'Next' }));
}
const press = ({ user }: Opened) => user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' }));

describe('the wizard', () => {
  it('goes on only with a list, a subject and a content', async () => {
    const opened = open();
    const { user } = opened;
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    expect(screen.getByText('1 list selected')).toBeVisible();
    expect(await screen.findByText('408')).toBeVisible();
    expect(screen.getByText(/3 contacts not confirmed yet, 1 address that unsubscribed or bounced/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('Step 2 of 4')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await user.type(screen.getByLabelText('Subject line'), '   ');
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  });

  it('shows the type of the other role disabled, with what it is and the reason', async () => {
    open();
    const other = await screen.findByRole('radio', { name: /Candidate List/ });
    expect(other).toBeDisabled();
    expect(other).toHaveAccessibleDescription('Share available candidates Not with the role Recruiter. You can change it in Settings.');
  });

  it('sends with a key, says so and goes to the history after a second', async () => {
    const opened = open();
    await write(opened);
    expect(await screen.findByText('Step 4 of 4')).toBeVisible();
    await press(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/history'), { timeout: 3000 });
    const [sent] = opened.sends();
    expect(sent?.body).toEqual({ emailListIds: ['l1'], emailType: 'job-post', subject: 'A job', content: 'Hello there' });
    expect(sent?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(localStorage.getItem('send_draft_u1')).toBeNull();
  });

  it('tries again with the same key, and with another one after a change', async () => {
    const opened = open({ 'POST /api/send-email': refusal(503, 'unavailable', 'Please try again in a minute.') });
    await write(opened);
    await press(opened);
    expect(await screen.findByText('Send Failed')).toBeVisible();
    expect(screen.getByText('Please try again in a minute.')).toBeVisible();
    await press(opened);
    await opened.user.click(screen.getByRole('button', { name: 'Previous' }));
    await opened.user.type(screen.getByLabelText('Email content'), '!');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await press(opened);
    await waitFor(() => expect(opened.sends()).toHaveLength(3));
    const [first, second, third] = opened.sends().map((call) => call.headers.get('idempotency-key'));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('keeps the draft over a reload and lets it be discarded', async () => {
    const opened = open();
    await write(opened);
    opened.unmount();
    const again = open();
    expect(await screen.findByText('You are going on with the draft you left.')).toBeVisible();
    expect(screen.getByText('Step 4 of 4')).toBeVisible();
    await again.user.click(screen.getByRole('button', { name: 'Start over' }));
    await again.user.click(await screen.findByRole('button', { name: 'Discard draft' }));
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
    expect(localStorage.getItem('send_draft_u1')).toBeNull();
  });

  it('asks before a half-written send is left', async () => {
    const opened = open();
    await write(opened);
    const nav = screen.getByRole('navigation', { name: 'Main' });
    await opened.user.click(within(nav).getByRole('link', { name: 'Email Lists' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(opened.router.state.location.pathname).toBe('/send');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await opened.user.click(within(nav).getByRole('link', { name: 'Email Lists' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/lists'));
  });

  it('fills a template at once, but asks before typed text goes', async () => {
    const opened = open();
    await write(opened);
    await opened.user.click(screen.getByRole('button', { name: 'Previous' }));
    await opened.user.click(screen.getByRole('button', { name: 'Standard Job Post' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Keep my text' }));
    expect(screen.getByLabelText('Email content')).toHaveValue('Hello there');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await opened.user.click(screen.getByRole('button', { name: 'Standard Job Post' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Replace' }));
    expect(screen.getByLabelText('Email content')).toHaveValue(templates['job-post'][0]?.content);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await opened.user.click(screen.getByRole('button', { name: 'Urgent Job Opening' }));
    expect(screen.getByLabelText('Email content')).toHaveValue(templates['job-post'][1]?.content);
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText(/blanks are not filled in yet/)).toBeVisible();
  });
});

describe('drafts and templates', () => {
  it('drops the key with every change of what is sent', () => {
    const draft = { ...emptyDraft('job-post'), key: 'k' };
    expect(changed(draft, { subject: 'x' }).key).toBeNull();
  });

  it('needs a list, then a subject, then a content', () => {
    const draft = emptyDraft('job-post');
    expect([0, 1, 2, 3].map((step) => mayGoOn({ ...draft, step }))).toEqual([false, false, false, true]);
  });

  it('marks every blank and knows a template from typed text', () => {
    for (const group of Object.values(templates)) {
      for (const { content } of group) {
        expect(blanksIn(content).length).toBeGreaterThan(4);
        expect(holdsTypedText(content)).toBe(false);
        expect(holdsTypedText(`${content} mine`)).toBe(true);
      }
    }
    expect(blanksIn('Rate: [rate], again [rate], [x]')).toEqual(['[rate]', '[x]']);
  });

  it('says in words who is left out', () => {
    expect(leftOut({ pending: 0, otherType: 0, suppressed: 0, duplicates: 0 })).toBe('');
    expect(leftOut({ pending: 1, otherType: 2, suppressed: 0, duplicates: 7 })).toBe('1 contact not confirmed yet, 2 contacts who subscribed to the other type, 7 duplicates on more than one list');
  });
});

describe('a send used again', () => {
  const past = { id: 'h9', subject: 'Java developer, Dallas', content: 'Are you free?', emailType: 'job-post', recipientCount: '3', status: 'sent', lists: [{ id: 'l1', name: 'Java vendors' }, { id: null, name: 'Gone' }] };

  it('starts a draft with its lists, subject and content', async () => {
    const opened = open({ 'GET /api/email-history/h9': past }, '/send?again=h9');
    await waitFor(() => expect(screen.getByRole('checkbox', { name: /Java vendors/ })).toBeChecked());
    expect(opened.router.state.location.search).toBe('');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByLabelText('Subject line')).toHaveValue('Java developer, Dallas');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByLabelText('Email content')).toHaveValue('Are you free?');
  });

  it('asks before it takes the place of a draft', async () => {
    const begun = { ...emptyDraft('job-post'), subject: 'Half written', step: 1, emailListIds: ['l2'] };
    localStorage.setItem('send_draft_u1', JSON.stringify(begun));
    const opened = open({ 'GET /api/email-history/h9': past }, '/send?again=h9');
    const asked = within(await screen.findByRole('alertdialog', { name: 'Replace your draft?' }));
    expect(asked.getByText(/"Half written"/)).toBeVisible();
    await opened.user.click(asked.getByRole('button', { name: 'Keep my draft' }));
    await waitFor(() => expect(opened.router.state.location.search).toBe('?step=2'));
    expect(await screen.findByLabelText('Subject line')).toHaveValue('Half written');
  });

  it('says so where there is no such send', async () => {
    const opened = open({}, '/send?again=h9');
    expect(await screen.findByText('That send could not be loaded.')).toBeVisible();
    expect(opened.router.state.location.search).toBe('');
  });
});

describe('a send to a list', () => {
  it('has that list chosen, in the place of what was chosen before; the text stays', async () => {
    localStorage.setItem('send_draft_u1', JSON.stringify({ ...emptyDraft('job-post'), subject: 'Half written', step: 1, emailListIds: ['l1'] }));
    const opened = open({}, '/send?list=l2');
    expect(await screen.findByRole('checkbox', { name: /Bench partners/ })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: /Java vendors/ })).not.toBeChecked();
    expect(opened.router.state.location.search).toBe('');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByLabelText('Subject line')).toHaveValue('Half written');
  });
});

describe('the place in the wizard', () => {
  it('is in the address: Back goes to the step before, and no step is shown before its turn', async () => {
    const opened = open();
    await write(opened);
    expect(await screen.findByText('Step 4 of 4')).toBeVisible();
    expect(opened.router.state.location.search).toBe('?step=4');
    void opened.router.navigate(-1);
    expect(await screen.findByText('Step 3 of 4')).toBeVisible();
    void opened.router.navigate(-1);
    expect(await screen.findByText('Step 2 of 4')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.getByLabelText('Subject line')).toHaveValue('A job');
  });

  it('is the first one without what the others need', async () => {
    open({}, '/send?step=4');
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
  });
});

describe('a draft', () => {
  const begun = (over = {}) => ({ ...emptyDraft('job-post'), subject: 'Half written', step: 1, emailListIds: ['l2'], revision: 'r1', ...over });
  const keep = (draft: unknown) => localStorage.setItem('send_draft_u1', JSON.stringify(draft));
  const kept = () => JSON.parse(localStorage.getItem('send_draft_u1') ?? 'null') as { subject: string } | null;
  const heard = () => window.dispatchEvent(new StorageEvent('storage', { key: 'send_draft_u1', newValue: localStorage.getItem('send_draft_u1') }));

  it('is the same one in another tab, which says that it was changed there', async () => {
    keep(begun());
    open();
    expect(await screen.findByLabelText('Subject line')).toHaveValue('Half written');
    keep(begun({ subject: 'Written in the other tab', revision: 'r2' }));
    act(() => void heard());
    expect(await screen.findByText('This draft was changed in another tab. You see it as it is now.')).toBeVisible();
    expect(screen.getByLabelText('Subject line')).toHaveValue('Written in the other tab');
    expect(kept()?.subject).toBe('Written in the other tab');
  });

  it('is gone in every tab once it was sent in one, and cannot be sent twice', async () => {
    keep(begun());
    open();
    expect(await screen.findByLabelText('Subject line')).toHaveValue('Half written');
    localStorage.removeItem('send_draft_u1');
    act(() => void heard());
    expect(await screen.findByText('This draft was sent or discarded in another tab.')).toBeVisible();
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
    expect(kept()).toBeNull();
  });

  it('of another tab is never written over without a question', async () => {
    keep(begun());
    const { user } = open();
    await screen.findByLabelText('Subject line');
    keep(begun({ subject: 'Theirs', revision: 'r2' }));
    await user.type(screen.getByLabelText('Subject line'), '!');
    expect(await screen.findByText(/Another tab has changed this draft as well/)).toBeVisible();
    expect(kept()?.subject).toBe('Theirs');
    await user.click(screen.getByRole('button', { name: 'Keep this one' }));
    expect(kept()?.subject).toBe('Half written!');
    expect(screen.queryByText(/Another tab has changed/)).not.toBeInTheDocument();
  });

  it('is discarded at sign-out, which says so first', async () => {
    keep(begun());
    const opened = open({ 'POST /api/auth/logout': { message: 'Bye' } });
    await opened.user.click(await screen.findByRole('button', { name: 'Logout' }));
    expect(await screen.findByText('Your unsent draft "Half written" is discarded.')).toBeVisible();
    await opened.user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(kept()).toBeNull());
  });

  it('that has been sent does not come back by what is still pressed before the history opens', async () => {
    const opened = open();
    await write(opened, 'Rate: [[rate]');
    const edit = await screen.findByRole('button', { name: 'Edit content' });
    await press(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(edit).toBeDisabled();
    expect(kept()).toBeNull();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/history'), { timeout: 5000 });
    expect(kept()).toBeNull();
  });

  it('keeps a subject that is too long, counts it, and does not go on with it', async () => {
    keep(begun());
    const { user } = open();
    const subject = await screen.findByLabelText('Subject line');
    await user.clear(subject);
    await user.click(subject);
    await user.paste('x'.repeat(300));
    expect((subject as HTMLInputElement).value).toHaveLength(300);
    expect(screen.getByText('Too long by 45 characters: at most 255')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  });

  it('says that a list chosen for it is gone', async () => {
    keep(begun({ emailListIds: ['l2', 'l9'] }));
    open();
    expect(await screen.findByText(/A list that you had chosen is no longer there/)).toBeVisible();
    await waitFor(() => expect((kept() as unknown as { emailListIds: string[] }).emailListIds).toEqual(['l2']));
  });
});

describe('the last step', () => {
  it('keeps why a send failed on the screen, with the time to wait', async () => {
    const opened = open({ 'POST /api/send-email': answer({ statusCode: 429, code: 'rate_limited', message: 'Too many sends at once.' }, 429, { 'retry-after': '90' }) });
    await write(opened);
    await press(opened);
    const alert = await within(screen.getByRole('main')).findByText(/^Send Failed: Too many sends at once\. You can try again in 2 minutes\.$/);
    expect(alert.closest('[role=alert]')).not.toBeNull();
  });

  it('cannot be pressed when nobody would get it', async () => {
    const opened = open({ 'POST /api/send-email/preview': { recipientCount: '0', excluded } });
    await write(opened);
    await waitFor(() => expect(within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' })).toBeDisabled());
  });

  it('says, when it is left while the answer is on its way, that the email may be sent', async () => {
    const opened = open({ 'POST /api/send-email': () => new Promise(() => undefined) });
    await write(opened);
    await press(opened);
    void opened.router.navigate('/lists');
    const asked = within(await screen.findByRole('alertdialog', { name: 'Leave while it is being sent?' }));
    expect(asked.getByText(/leaving does not stop it/)).toBeVisible();
    expect(asked.queryByText(/Nothing has been sent/)).not.toBeInTheDocument();
  });

  it('is sent by plain http too, where the browser makes no UUIDs', async () => {
    const { randomUUID } = crypto;
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      const opened = open();
      await write(opened);
      await press(opened);
      expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
      expect(opened.sends()[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    } finally {
      Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
    }
  });

  it('does not say 0 where the recipients could not be counted, nor tomorrow where the limit is 0', async () => {
    open({ 'POST /api/send-email/preview': refusal(503, 'unavailable', 'Busy'), 'GET /api/auth/user': someone({ customDailyLimit: 0, entitlements: { plan: 'free', dailyLimit: 0, sentToday: 0, remainingToday: 0 } }) });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    expect(await screen.findByText('–')).toBeVisible();
    expect(screen.queryByText('0')).not.toBeInTheDocument();
  });
});
