import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answer, refusal, type Call } from '../../../../test/fake-api';
import { noSenderProfile } from '../../../../test/fixtures/screen-answers';
import { checkOf, excluded, fakeDrafts, openWizard, storedDraft } from '../../../../test/send-kit';

const CHECK_CALL = 'POST /api/send-email/check';

/** Opens the last step with a plain text and this result of the check. */
const openLast = (check: unknown, over: Record<string, unknown> = {}, answers: Record<string, unknown> = {}) =>
  openWizard(
    { [CHECK_CALL]: check, ...answers },
    '/send/d1',
    fakeDrafts(storedDraft({ step: 4, subject: 'Java, [city]', content: 'Rate: [rate]', ...over })),
  );
const checks = ({ calls }: ReturnType<typeof openWizard>) => calls.filter(({ path }) => path.endsWith('/check'));
const section = async () => within(await screen.findByRole('region', { name: 'Check' }));

const rows = checkOf([
  { code: 'nobody', level: 'error', text: 'Nobody is left to receive this email.' },
  {
    code: 'blanks',
    level: 'warning',
    text: 'One blank is not filled in yet.',
    words: ['[rate]'],
    where: { part: 'content', from: 6, to: 12 },
    fix: 'show',
  },
  { code: 'sender_address', level: 'warning', text: 'The footer names no postal address of yours.' },
  { code: 'no_rate', level: 'hint', text: 'No rate or pay range is named.' },
  { code: 'tested', level: 'hint', text: 'Not tested since the last change.' },
  { code: 'link_http', level: 'passed', text: 'Links are encrypted (https).' },
]);

describe('the check before a send', () => {
  it('sorts its rows into groups with their numbers, and folds what is fine', async () => {
    const { user } = openLast(rows);
    const check = await section();
    expect((await check.findAllByRole('heading', { level: 4 })).map((heading) => heading.textContent)).toEqual([
      'To fix (1)',
      'Worth a look (2)',
      'Hints (2)',
    ]);
    const row = within(check.getByText('One blank is not filled in yet.').closest('li')!);
    expect(row.getByText('Worth a look')).toBeVisible();
    expect(row.getByText('[rate]')).toBeVisible();
    expect(row.getByRole('button', { name: 'Show' })).toHaveAccessibleDescription('One blank is not filled in yet.');
    expect(check.getByText('Links are encrypted (https).')).not.toBeVisible();
    await user.click(check.getByText('Fine (1)'));
    expect(check.getByText('Links are encrypted (https).')).toBeVisible();
    expect(check.getByText('Check done: 1 to fix, 2 worth a look, 2 hints')).toHaveAttribute('role', 'status');
  });

  it('leads to the postal address that the footer lacks, and checks again once there is one', async () => {
    const opened = openLast(rows);
    await opened.user.click(await screen.findByRole('button', { name: 'Add address' }));
    expect(await screen.findByRole('dialog', { name: 'Add your business address' })).toBeVisible();
    expect(opened.sends()).toHaveLength(0);
  });

  it('says whom the email reaches; each count opens its explanation, also by keyboard', async () => {
    const reasons = [
      { code: 'networkCap', count: 150, text: "at the network's daily cap", explanation: 'At most 3 emails a day.' },
      { code: 'bounced', count: 60, text: 'bounced before', explanation: 'Their mail server takes no mail for them.' },
      { code: 'doNotSend', count: 18, text: 'on your do-not-send list', explanation: 'You put them there.' },
    ];
    const { user } = openLast(
      checkOf([], { forecast: { total: 1040, reaches: 812, reasons } }),
      {},
      {
        'POST /api/send-email/preview': {
          recipientCount: '812',
          excluded,
          leftOut: [{ email: 'a@b.example', detail: 'x' }],
        },
      },
    );
    const button = await screen.findByRole('button', { name: '60 bounced before' });
    expect(button.parentElement).toHaveTextContent(
      /^Reaches 812 of 1,040 addresses\. Left out: 150 at the network's daily cap, 60 bounced before, 18 on your do-not-send list\.$/,
    );
    // The left-out people stay, but the same text is shown only once.
    expect(await screen.findByText('a@b.example: x')).toBeInTheDocument();
    expect(screen.queryByText(/3 contacts not confirmed/)).not.toBeInTheDocument();
    act(() => button.focus());
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog')).toHaveTextContent('Their mail server takes no mail for them.');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(button).toHaveFocus());
  });

  it('says that the recipients could not be counted, and keeps the reasons of the preview', async () => {
    openLast(checkOf([], { forecast: null }));
    const check = await section();
    expect(await check.findByText('The number of recipients could not be counted.')).toBeVisible();
    expect(await screen.findByText(/^Left out: 3 contacts not confirmed yet/)).toBeVisible();
  });

  it('that could not be made is made again with Retry', async () => {
    let isDown = true;
    const { user } = openLast(() => (isDown ? refusal(503, 'unavailable', 'Busy') : rows));
    expect(await screen.findByText('The check could not be made.')).toBeVisible();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('To fix (1)')).toBeVisible();
    expect(screen.queryByText('The check could not be made.')).not.toBeInTheDocument();
  });

  it('says what the server refuses', async () => {
    openLast(refusal(400, 'unknown_merge_tag', 'Unknown merge tag: {{x}}.'));
    expect(await (await section()).findByText('Unknown merge tag: {{x}}.')).toBeVisible();
  });
});

describe('links that are looked up', () => {
  const gone = { code: 'link_host', level: 'warning', text: 'No server has the name jobs.acmee.com.' } as const;
  const hint = { code: 'no_rate', level: 'hint', text: 'No rate or pay range is named.' } as const;

  it('come after the other rows, which stay where they are, and are asked for again', async () => {
    let open = 2;
    const opened = openLast(() =>
      open > 0
        ? checkOf([hint], { links: { state: 'checking', open } })
        : checkOf([gone, hint], { links: { state: 'done', open: 0 } }),
    );
    expect(await screen.findByText('Checking 2 links…')).toBeVisible();
    expect(screen.queryByText(/^Check done/)).not.toBeInTheDocument();
    open = 0;
    const row = await screen.findByText(gone.text, {}, { timeout: 4000 });
    expect(checks(opened).length).toBeGreaterThan(1);
    expect(screen.queryByText(/^Checking/)).not.toBeInTheDocument();
    // The row about hosts is below the hints, because a row above them would push them down.
    expect(screen.queryByText('Worth a look (1)')).not.toBeInTheDocument();
    expect(screen.getByText(hint.text).compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByText('Check done: 0 to fix, 1 worth a look, 1 hint')).toBeInTheDocument();
  });

  it('are given up after ten times, until they are checked again', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    try {
      const opened = openLast(checkOf([hint], { links: { state: 'checking', open: 4 } }));
      await screen.findByText('Checking 4 links…');
      for (let step = 0; step < 14; step += 1) await act(() => jest.advanceTimersByTimeAsync(10_000));
      expect(await screen.findByText('4 links could not be checked.')).toBeVisible();
      expect(checks(opened)).toHaveLength(11);
      act(() => screen.getByRole('button', { name: 'Check again' }).click());
      expect(await screen.findByText('Checking 4 links…')).toBeVisible();
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a row that can be mended', () => {
  it.each([
    ['content', 'Email content', 6, 12],
    ['subject', 'Subject line', 6, 12],
  ] as const)('shows its place in the %s, selected', async (part, label, from, to) => {
    const { user } = openLast(
      checkOf([{ code: 'blanks', level: 'warning', text: 'One blank.', where: { part, from, to }, fix: 'show' }]),
    );
    await user.click(await screen.findByRole('button', { name: 'Show' }));
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    await waitFor(() => expect(field).toHaveFocus());
    expect([field.selectionStart, field.selectionEnd]).toEqual([from, to]);
  });

  it('shows its place in a line that was written with spaces before it', async () => {
    const { user } = openLast(
      checkOf([
        { code: 'blanks', level: 'warning', text: 'x', where: { part: 'preheader', from: 0, to: 6 }, fix: 'show' },
      ]),
      { preheader: '  [rate] a day' },
    );
    await user.click(await screen.findByRole('button', { name: 'Show' }));
    const field = await screen.findByLabelText<HTMLInputElement>(/Preview line/);
    await waitFor(() => expect(field).toHaveFocus());
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe('[rate]');
  });

  it('shows its place in a rich text, selected', async () => {
    const { user } = openLast(
      checkOf([
        { code: 'blanks', level: 'warning', text: 'x', where: { part: 'content', from: 10, to: 16 }, fix: 'show' },
      ]),
      {
        content: null,
        document: {
          type: 'doc',
          version: 1,
          content: [
            { type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] },
            { type: 'paragraph', content: [{ type: 'text', text: 'At: [rate] a day' }] },
          ],
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Show' }));
    const field = await screen.findByRole('textbox', { name: 'Email content' });
    await waitFor(() => expect(field).toHaveFocus());
    await waitFor(() => expect(getSelection()?.toString()).toBe('[rate]'));
  });

  it('opens the fallback of the tag that has none', async () => {
    const { user } = openLast(
      checkOf([
        {
          code: 'empty_tag',
          level: 'warning',
          text: 'First name is empty for 214 of 812 recipients and has no fallback.',
          where: { part: 'content', from: 3, to: 17 },
          fix: 'addFallback',
        },
      ]),
      {
        content: null,
        document: {
          type: 'doc',
          version: 1,
          content: [
            {
              type: 'paragraph',
              content: [
                { type: 'text', text: 'Hi ' },
                { type: 'mergeTag', attrs: { tag: 'first_name', fallback: null } },
              ],
            },
          ],
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Add fallback' }));
    expect(await screen.findByRole('dialog', { name: 'First name' })).toBeVisible();
    await user.keyboard('there{Enter}');
    expect(await screen.findByText('First name · there')).toBeVisible();
  });

  it('makes links https, checks again, and takes it back', async () => {
    const opened = openLast(
      ({ body }: Call) =>
        (body as { content: string }).content.includes('http:')
          ? checkOf([
              {
                code: 'link_http',
                level: 'warning',
                text: 'A link is not encrypted (http).',
                where: { part: 'content', from: 0, to: 4 },
                fix: 'useHttps',
              },
            ])
          : checkOf([{ code: 'link_http', level: 'passed', text: 'Links are encrypted (https).' }]),
      { content: 'See http://acme.example/a' },
    );
    const { user } = opened;
    const content = () => (checks(opened).at(-1)?.body as { content: string }).content;
    await user.click(await screen.findByRole('button', { name: 'Use https' }));
    expect(await screen.findByText('Fine (1)')).toBeVisible();
    expect(content()).toBe('See https://acme.example/a');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Use https' })).toBeVisible();
    expect(content()).toBe('See http://acme.example/a');
  });
});

describe('an answer to an older composition', () => {
  it('says nothing about the email of now', async () => {
    const late: ((check: unknown) => void)[] = [];
    const opened = openLast(
      () => new Promise((done) => late.push((check) => done(answer(check)))),
      {},
      { 'GET /api/sender-profile': { ...noSenderProfile, showLogo: true } },
    );
    await waitFor(() => expect(late).toHaveLength(1));
    await opened.user.click(await screen.findByRole('switch', { name: 'Logo' }));
    await waitFor(() => expect(late).toHaveLength(2));
    await act(async () => late[0]!(rows));
    const button = within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' });
    expect(screen.queryByText('To fix (1)')).not.toBeInTheDocument();
    expect(button).toBeEnabled();
    await act(async () => late[1]!(rows));
    expect(await screen.findByText('To fix (1)')).toBeVisible();
    expect(button).toBeDisabled();
  });
});
