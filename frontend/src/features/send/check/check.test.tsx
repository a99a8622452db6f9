import { describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { refusal, type Call } from '../../../../test/fake-api';
import { cleanCheck, openWizard, pressSend, write } from '../../../../test/send-kit';

const CHECK = 'POST /api/send-email/check';
const items = [
  {
    code: 'blanks',
    level: 'warning',
    text: 'One blank is not filled in yet.',
    words: ['[rate]'],
    where: { part: 'content', from: 6, to: 12 },
    fix: 'show',
  },
  {
    code: 'link_http',
    level: 'warning',
    text: 'A link is not encrypted (http).',
    words: ['http://a.example'],
    where: { part: 'content', from: 13, to: 29 },
    fix: 'useHttps',
  },
  {
    code: 'subject_length',
    level: 'hint',
    text: 'The subject is long.',
    where: { part: 'subject', from: 2, to: 5 },
    fix: 'show',
  },
  { code: 'complete', level: 'passed', text: 'Lists, subject and content are there.' },
];
const TEXT = 'Hello [[rate] http://a.example';
const sendButton = () => within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' });
const row = (text: string) => within(screen.getByText(text).closest('li')!);

describe('the check on the last step', () => {
  it('groups what was found, and leads to the very place', async () => {
    const opened = openWizard({ [CHECK]: { ...cleanCheck, items } });
    await write(opened, TEXT);
    expect(await screen.findByText('Reaches 408 of 408 addresses.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Worth a look (2)' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Hints (1)' })).toBeVisible();
    expect(screen.getByText('Fine (1)')).toBeVisible();
    expect(screen.getByText('Check done: 0 to fix, 2 worth a look, 1 hint')).toBeInTheDocument();
    expect(sendButton()).toBeEnabled();
    await opened.user.click(row('One blank is not filled in yet.').getByRole('button', { name: 'Show' }));
    const content = await screen.findByLabelText<HTMLTextAreaElement>('Email content');
    expect(content).toHaveFocus();
    expect(content.value.slice(content.selectionStart, content.selectionEnd)).toBe('[rate]');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('The subject is long.');
    await opened.user.click(row('The subject is long.').getByRole('button', { name: 'Show' }));
    const subject = await screen.findByLabelText<HTMLInputElement>('Subject line');
    expect(subject).toHaveFocus();
    expect([subject.selectionStart, subject.selectionEnd]).toEqual([2, 5]);
  });

  it('makes links https, and checks again', async () => {
    const opened = openWizard({
      [CHECK]: ({ body }: Call) =>
        (body as { content: string }).content.includes('http://') ? { ...cleanCheck, items } : cleanCheck,
    });
    await write(opened, TEXT);
    await screen.findByText('A link is not encrypted (http).');
    await opened.user.click(screen.getByRole('button', { name: 'Use https' }));
    await waitFor(() => expect(screen.queryByText('A link is not encrypted (http).')).not.toBeInTheDocument());
    const asked = opened.calls.filter(({ path }) => path === '/api/send-email/check').at(-1)!;
    expect((asked.body as { content: string }).content).toContain('https://a.example');
  });

  it('opens why people are left out', async () => {
    const reasons = [{ code: 'bounced', count: 60, text: 'bounced before', explanation: 'Their server said no.' }];
    const opened = openWizard({ [CHECK]: { ...cleanCheck, forecast: { total: 468, reaches: 408, reasons } } });
    await write(opened);
    await opened.user.click(await screen.findByRole('button', { name: '60 bounced before' }));
    expect(await screen.findByText('Their server said no.')).toBeVisible();
  });

  it('is sent only without rows to fix, whose reasons stand under the button', async () => {
    const error = { code: 'unknown_tag', level: 'error', text: 'There is no tag {{x}}.' };
    const opened = openWizard({ [CHECK]: { ...cleanCheck, items: [error] } });
    await write(opened);
    await screen.findByRole('heading', { name: 'To fix (1)' });
    expect(sendButton()).toBeDisabled();
    expect(sendButton()).toHaveAccessibleDescription('There is no tag {{x}}.');
    expect(opened.sends()).toEqual([]);
  });

  it('asks before it sends where the recipients could not be counted', async () => {
    const opened = openWizard({ [CHECK]: { ...cleanCheck, forecast: null } });
    await write(opened);
    await screen.findByRole('heading', { name: 'Check' });
    await pressSend(opened);
    const asked = within(await screen.findByRole('alertdialog', { name: 'Send anyway?' }));
    await opened.user.click(asked.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(opened.sends()).toEqual([]);
    await pressSend(opened);
    await opened.user.click(await screen.findByRole('button', { name: 'Send anyway' }));
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
  });

  it('waits for the number of recipients before it sends', async () => {
    let counted: (found: unknown) => void = () => undefined;
    const opened = openWizard({ [CHECK]: () => new Promise((resolve) => (counted = resolve)) });
    await write(opened);
    await pressSend(opened);
    expect(opened.sends()).toEqual([]);
    counted(cleanCheck);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
  });

  it('says that it could not be made, and is made again', async () => {
    let isDown = true;
    const opened = openWizard({ [CHECK]: () => (isDown ? refusal(503, 'unavailable', 'Busy') : cleanCheck) });
    await write(opened);
    expect(await screen.findByText('The check could not be made.')).toBeVisible();
    isDown = false;
    const section = within(screen.getByRole('region', { name: 'Check' }));
    await opened.user.click(section.getByRole('button', { name: /retry/i }));
    expect(await screen.findByText('Reaches 408 of 408 addresses.')).toBeVisible();
  });

  it('asks again while links are looked up', async () => {
    jest.useRealTimers();
    let asked = 0;
    const opened = openWizard({
      [CHECK]: () => ({ ...cleanCheck, links: (asked += 1) === 1 ? { state: 'checking', open: 4 } : cleanCheck.links }),
    });
    await write(opened);
    expect(await screen.findByText('Checking 4 links…')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Checking 4 links…')).not.toBeInTheDocument(), { timeout: 10_000 });
    expect(asked).toBe(2);
  });
});
