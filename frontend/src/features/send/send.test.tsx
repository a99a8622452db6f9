import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { page, refusal } from '../../../test/fake-api';
import { openWizard, pressSend, write } from '../../../test/send-kit';
import { builtInTemplates } from '../../ui/editor/built-in-templates';
import { documentText } from '../../ui/editor/document';
import { changeDraft, emptyDraft, isStepComplete } from './draft';
import { exclusionText } from './audience/exclusion-text';
import { blanksIn, hasTypedText } from './composition/templates';

const textOf = (index: number) => documentText(builtInTemplates['job-post'][index]!.document);

describe('the send wizard', () => {
  it('allows Next only with a list, a subject and a content', async () => {
    const opened = openWizard();
    const { user } = opened;
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    expect(screen.getByText('1 list selected')).toBeVisible();
    expect(await screen.findByText('408')).toBeVisible();
    expect(screen.getByText(/3 contacts not confirmed yet, 1 address that unsubscribed or bounced/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Step 2 of 4')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await user.type(screen.getByLabelText('Subject line'), '   ');
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  });

  it('shows the type of the other role disabled, with its description and the reason', async () => {
    openWizard();
    const other = await screen.findByRole('radio', { name: /Candidate List/ });
    expect(other).toBeDisabled();
    expect(other).toHaveAccessibleDescription(
      'Share available candidates Not with the role Recruiter. You can change it in Settings.',
    );
  });

  it('sends with an idempotency key, says so and opens the history after a second', async () => {
    const opened = openWizard();
    await write(opened);
    expect(await screen.findByText('Step 4 of 4')).toBeVisible();
    await pressSend(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/history'));
    const [sent] = opened.sends();
    expect(sent?.body).toEqual({
      emailListIds: ['l1'],
      emailType: 'job-post',
      subject: 'A job',
      content: 'Hello there',
      draftId: 'd1',
      draftVersion: expect.any(Number),
    });
    expect(sent?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(localStorage.getItem('send_draft_u1')).toBeNull();
  });

  it('retries with the same key, and uses another one after a change', async () => {
    const opened = openWizard({ 'POST /api/send-email': refusal(503, 'unavailable', 'Please try again in a minute.') });
    await write(opened);
    await pressSend(opened);
    expect(await screen.findByText('Send Failed')).toBeVisible();
    expect(screen.getByText('Please try again in a minute.')).toBeVisible();
    await pressSend(opened);
    await opened.user.click(screen.getByRole('button', { name: 'Previous' }));
    await opened.user.type(screen.getByLabelText('Email content'), '!');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await pressSend(opened);
    await waitFor(() => expect(opened.sends()).toHaveLength(3));
    const [first, second, third] = opened.sends().map((call) => call.headers.get('idempotency-key'));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('fills in a template at once, but asks before typed text is replaced', async () => {
    const opened = openWizard();
    await write(opened);
    await opened.user.click(screen.getByRole('button', { name: 'Previous' }));
    await opened.user.click(screen.getByRole('button', { name: 'Standard Job Post' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Keep my text' }));
    expect(screen.getByLabelText('Email content')).toHaveValue('Hello there');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await opened.user.click(screen.getByRole('button', { name: 'Standard Job Post' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Replace' }));
    expect(screen.getByLabelText('Email content')).toHaveValue(textOf(0));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await opened.user.click(screen.getByRole('button', { name: 'Urgent Job Opening' }));
    expect(screen.getByLabelText('Email content')).toHaveValue(textOf(1));
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText(/blanks are not filled in yet/)).toBeVisible();
  });

  it('asks before a template that loads slowly replaces text typed meanwhile', async () => {
    const own = { id: 't1', name: 'My opening', subject: null, emailType: 'job-post' };
    let load = (): void => undefined;
    const opened = openWizard({
      'GET /api/email-templates': page([own]),
      'POST /api/email-templates/t1/use': () =>
        new Promise((done) => (load = () => done({ ...own, document: builtInTemplates['job-post'][0]!.document }))),
    });
    const { user } = opened;
    await write(opened);
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await user.clear(screen.getByLabelText('Email content'));
    await user.click(await screen.findByRole('button', { name: 'My templates' }));
    await user.click(await screen.findByRole('menuitem', { name: 'My opening' }));
    await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
    await user.type(screen.getByLabelText('Email content'), 'Written meanwhile');
    act(() => load());
    await user.click(await screen.findByRole('button', { name: 'Keep my text' }));
    expect(screen.getByLabelText('Email content')).toHaveValue('Written meanwhile');
  });
});

describe('the state of the wizard', () => {
  it('gets a new idempotency key with every change of the email', () => {
    const draft = { ...emptyDraft('job-post'), key: 'k' };
    expect(changeDraft(draft, { subject: 'x' }).key).toBeNull();
  });

  it('requires a list, then a subject, then a content', () => {
    const draft = emptyDraft('job-post');
    expect([0, 1, 2, 3].map((step) => isStepComplete({ ...draft, step }))).toEqual([false, false, false, true]);
  });

  it('requires a body of its own kind, plain text or document', () => {
    const draft = { ...emptyDraft('job-post'), step: 2 };
    const document = {
      type: 'doc' as const,
      version: 1 as const,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }],
    };
    expect(isStepComplete({ ...draft, content: 'Left from before' })).toBe(false);
    expect(isStepComplete({ ...draft, document })).toBe(true);
    expect(isStepComplete({ ...draft, document: null, content: 'Plain' })).toBe(true);
  });

  it('marks every placeholder and distinguishes a template from typed text', () => {
    for (const group of Object.values(builtInTemplates)) {
      for (const { document } of group) {
        const text = documentText(document);
        expect(blanksIn(text).length).toBeGreaterThan(4);
        expect(hasTypedText({ document, content: '' })).toBe(false);
        expect(hasTypedText({ document: null, content: text })).toBe(false);
        expect(hasTypedText({ document: null, content: `${text} mine` })).toBe(true);
      }
    }
    expect(blanksIn('Rate: [rate], again [rate], [x]')).toEqual(['[rate]', '[x]']);
  });

  it('describes exclusions in words', () => {
    expect(exclusionText({ pending: 0, otherType: 0, suppressed: 0, duplicates: 0 })).toBe('');
    expect(exclusionText({ pending: 1, otherType: 2, suppressed: 0, duplicates: 7 })).toBe(
      '1 contact not confirmed yet, 2 contacts who subscribed to the other type, 7 duplicates on more than one list',
    );
  });
});

describe('the step of the wizard', () => {
  it('is in the address: Back returns to the step before, and no step is shown before the ones it needs', async () => {
    const opened = openWizard();
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
    openWizard({}, '/send?step=4');
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
  });
});
