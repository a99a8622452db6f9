import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { refusal, someone } from '../../../../test/fake-api';
import {
  composedPost,
  fakeDrafts,
  openWizard,
  PASTED_REQUIREMENT,
  requirement,
  storedDraft,
  type OpenedWizard,
} from '../../../../test/send-kit';

const dialog = () => within(screen.getByRole('dialog', { name: 'Paste a requirement' }));
const field = (name: string) => dialog().getByRole('textbox', { name });
const paste = (text = PASTED_REQUIREMENT) =>
  fireEvent.change(field('Paste the requirement as you got it'), { target: { value: text } });
const press = ({ user }: OpenedWizard, name: string) => user.click(dialog().getByRole('button', { name }));
const question = (name: string) => screen.findByRole('alertdialog', { name });
const isClosed = () =>
  waitFor(() => expect([...screen.queryAllByRole('dialog'), ...screen.queryAllByRole('alertdialog')]).toEqual([]));
const isAnswered = () => waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
const composed = ({ calls }: OpenedWizard) =>
  calls.filter(({ path }) => path === '/api/requirements/compose').map(({ body }) => (body as { job: object }).job);

async function openDialog(over: Record<string, unknown> = {}, draft: Record<string, unknown> = {}) {
  const drafts = fakeDrafts(storedDraft({ subject: '', content: null, ...draft }));
  const opened = openWizard(
    {
      'POST /api/requirements/read': [requirement()],
      'POST /api/requirements/compose': composedPost,
      ...over,
    },
    `/send/d1?step=${(draft.step as number | undefined) ?? 2}`,
    drafts,
  );
  await opened.user.click(await screen.findByRole('button', { name: 'Paste a requirement' }));
  await screen.findByRole('dialog', { name: 'Paste a requirement' });
  return opened;
}

async function readIt(over: Record<string, unknown> = {}, draft: Record<string, unknown> = {}) {
  const opened = await openDialog(over, draft);
  paste();
  await press(opened, 'Read it');
  await dialog().findByRole('textbox', { name: 'Title' });
  return opened;
}

describe('a requirement that was pasted', () => {
  it('fills the fields, marks each guess, and leaves the unknown ones empty', async () => {
    const { calls } = await readIt();
    expect(calls.find(({ path }) => path === '/api/requirements/read')?.body).toEqual({ text: PASTED_REQUIREMENT });
    expect(field('Title')).toHaveValue('Sr Java Developer');
    expect(field('Title')).toHaveAccessibleDescription('sure');
    expect(field('Location')).toHaveValue('Hartford, CT');
    expect(dialog().getByRole('combobox', { name: 'Work mode' })).toHaveTextContent('Hybrid');
    expect(dialog().getByRole('combobox', { name: 'Work mode' })).toHaveAccessibleDescription('please check');
    expect(field('Rate')).toHaveValue('$60/hr');
    expect(dialog().getByRole('checkbox', { name: 'C2C' })).toBeChecked();
    expect(dialog().getByRole('checkbox', { name: 'W2' })).not.toBeChecked();
    expect(field('Must-have skills')).toHaveValue('Java, AWS');
    for (const name of ['Duration', 'Start', 'Experience', 'Nice-to-have', 'Interview', 'Job ID', 'Description'])
      expect(field(name)).toHaveValue('');
    expect(dialog().getByRole('switch', { name: 'Hidden in the post' })).not.toBeChecked();
    expect(field('Work authorisation')).toHaveAccessibleDescription(/^Naming citizenship or visa types can be/);
    expect(field('Suggested subject')).toHaveValue('Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C');
  });

  it('shows where the detail in hand was read, and on demand what is left out', async () => {
    const { user } = await readIt();
    const text = dialog().getByRole('region', { name: 'Pasted text' });
    const marked = () => text.querySelector('mark')?.textContent;
    expect(field('Title')).toHaveFocus();
    expect(marked()).toBe('Sr Java Developer');
    await user.click(field('Rate'));
    expect(marked()).toBe('$60/hr');
    await user.click(field('Duration'));
    expect(marked()).toBeUndefined();
    expect(text).toHaveTextContent('Thanks, Ravi');
    dialog().getByText(
      "Left out: 1 e-mail address, 2 phone numbers, a signature, a disclaimer, the client's name (Acme).",
      {
        exact: false,
        ignore: '[role=status] *',
      },
    );
    await user.click(dialog().getByRole('button', { name: 'Show' }));
    const list = within(dialog().getByRole('list', { name: 'Left out' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'E-mail address: ravi@vendor.example',
      'Phone number: 860 555 0142',
      'Client: Acme',
    ]);
    expect([...text.querySelectorAll('s')].map((part) => part.textContent)).toEqual([
      'ravi@vendor.example',
      '860 555 0142',
    ]);
    await user.click(dialog().getByRole('button', { name: 'Hide' }));
    expect(text.querySelector('s')).toBeNull();
  });

  it('tells whose name the post leaves out, as long as the client is hidden', async () => {
    const { user } = await readIt();
    const line = (end: RegExp) => dialog().findByText(end, { ignore: '[role=status] *' });
    await line(/a disclaimer, the client's name \(Acme\)\./);
    await user.click(dialog().getByRole('switch', { name: 'Hidden in the post' }));
    await line(/a disclaimer\./);
    await user.click(dialog().getByRole('switch', { name: 'Shown in the post' }));
    await line(/the client's name \(Acme\)\./);
    await user.clear(field('Client'));
    await user.type(field('Client'), 'Riverbank');
    await user.tab();
    await line(/the client's name \(Riverbank\)\./);
  });

  it('becomes subject, content and job of the draft, as corrected', async () => {
    const opened = await readIt();
    const { user, drafts } = opened;
    await user.clear(field('Title'));
    await user.type(field('Title'), 'Lead Java Developer');
    expect(field('Title')).not.toHaveAccessibleDescription('sure');
    await user.tab();
    await waitFor(() => expect(field('Suggested subject')).toHaveValue('Lead Java Developer | Hartford, CT'));
    await user.clear(field('Rate'));
    await user.type(field('Rate'), '$62-65/hr DOE');
    await user.click(dialog().getByRole('checkbox', { name: 'W2' }));
    await press(opened, 'Use it');
    await isClosed();
    expect(screen.getByLabelText('Subject line')).toHaveValue('Lead Java Developer | Hartford, CT');
    expect(composed(opened).at(-1)).toEqual({
      ...requirement().job,
      title: 'Lead Java Developer',
      baseSalary: { min: 62, max: 65, unit: 'HOUR', currency: 'USD' },
      rateNote: 'DOE',
      employmentTypes: ['C2C', 'W2'],
    });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('textbox', { name: 'Email content' })).toHaveTextContent(
      'Title: Lead Java Developer',
    );
    await waitFor(() =>
      expect(drafts.draft).toMatchObject({
        subject: 'Lead Java Developer | Hartford, CT',
        document: { content: [{ content: [{ text: 'Title: Lead Java Developer' }] }] },
        job: { title: 'Lead Java Developer', employmentTypes: ['C2C', 'W2'] },
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() =>
      expect(opened.calls.findLast(({ path }) => path === '/api/send-email/check')?.body).toMatchObject({
        job: { title: 'Lead Java Developer' },
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await user.click(await screen.findByRole('button', { name: 'Paste a requirement' }));
    expect(field('Paste the requirement as you got it')).toHaveValue('');
  });

  it('keeps a subject that was typed in the dialog', async () => {
    const opened = await readIt();
    await opened.user.clear(field('Suggested subject'));
    await opened.user.type(field('Suggested subject'), 'My own words');
    await opened.user.type(field('Duration'), '6 months');
    await opened.user.tab();
    await press(opened, 'Use it');
    await isClosed();
    expect(screen.getByLabelText('Subject line')).toHaveValue('My own words');
  });

  it('asks before it replaces a content or a subject that was typed', async () => {
    const document = {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Typed by hand' }] }],
    };
    const opened = await readIt({}, { step: 3, subject: 'My subject', document, content: null });
    const { user } = opened;
    await press(opened, 'Use it');
    await user.click(within(await question('Replace what you typed?')).getByRole('button', { name: 'Keep my text' }));
    await isAnswered();
    expect(field('Title')).toHaveValue('Sr Java Developer');
    await press(opened, 'Use it');
    const asked = await question('Replace what you typed?');
    expect(asked).toHaveAccessibleDescription('The job post takes the place of the text in the content field.');
    await user.click(within(asked).getByRole('button', { name: 'Replace' }));
    expect(
      await screen.findByText('"Sr Java Developer | Hartford, CT" takes the place of your subject.'),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Keep my subject' }));
    await isClosed();
    expect(screen.getByRole('textbox', { name: 'Email content' })).toHaveTextContent('Title: Sr Java Developer');
    await waitFor(() => expect(opened.drafts.draft).toMatchObject({ subject: 'My subject' }));
  });

  it('fills a plain text as text', async () => {
    const opened = await readIt({}, { step: 3, subject: 'My subject', content: ' ' });
    await press(opened, 'Use it');
    await opened.user.click(within(await question('Replace what you typed?')).getByRole('button', { name: 'Replace' }));
    await isClosed();
    expect(screen.getByLabelText('Email content')).toHaveValue('Title: Sr Java Developer');
    await waitFor(() => expect(opened.drafts.draft).toMatchObject({ subject: 'Sr Java Developer | Hartford, CT' }));
  });
});

it('the job of a draft goes with the message that was made of it', async () => {
  const opened = await readIt({}, { step: 3, subject: 'My subject' });
  await press(opened, 'Use it');
  await opened.user.click(await screen.findByRole('button', { name: 'Keep my subject' }));
  await isClosed();
  await waitFor(() => expect(opened.drafts.draft?.job).toMatchObject({ title: 'Sr Java Developer' }));
  await opened.user.click(screen.getByRole('button', { name: 'Standard Job Post' }));
  await opened.user.click(within(await question('Replace what you typed?')).getByRole('button', { name: 'Replace' }));
  await isAnswered();
  await waitFor(() => expect(opened.saves().at(-1)?.body).not.toHaveProperty('job'));
});

describe('closing the dialog', () => {
  it('keeps the text and what was read of it, where nothing was corrected', async () => {
    const opened = await openDialog();
    paste('Half of it');
    await press(opened, 'Cancel');
    await isClosed();
    await opened.user.click(screen.getByRole('button', { name: 'Paste a requirement' }));
    expect(field('Paste the requirement as you got it')).toHaveValue('Half of it');
    paste();
    await press(opened, 'Read it');
    await dialog().findByRole('textbox', { name: 'Title' });
    await opened.user.keyboard('{Escape}');
    await isClosed();
    expect(screen.getByLabelText('Subject line')).toHaveValue('');
    await opened.user.click(screen.getByRole('button', { name: 'Paste a requirement' }));
    expect(field('Title')).toHaveValue('Sr Java Developer');
  });

  it('asks before corrections are lost; Cancel keeps them, Discard begins anew', async () => {
    const opened = await readIt();
    const { user } = opened;
    await user.type(field('Duration'), '6 months');
    await user.keyboard('{Escape}');
    const asked = await question('Discard what was read?');
    await user.click(within(asked).getByRole('button', { name: 'Cancel' }));
    await isAnswered();
    expect(field('Duration')).toHaveValue('6 months');
    expect(dialog().getByRole('region', { name: 'Pasted text' })).toHaveTextContent('please share profiles');
    await press(opened, 'Cancel');
    await user.click(within(await question('Discard what was read?')).getByRole('button', { name: 'Discard' }));
    await isClosed();
    await user.click(screen.getByRole('button', { name: 'Paste a requirement' }));
    expect(field('Paste the requirement as you got it')).toHaveValue('');
    expect(opened.drafts.draft).toMatchObject({ subject: '' });
  });

  it('is not needed to correct the text, which asks as well', async () => {
    const opened = await readIt();
    await opened.user.type(field('Duration'), '6 months');
    await press(opened, 'Edit the text');
    await opened.user.click(within(await question('Discard what was read?')).getByRole('button', { name: 'Discard' }));
    await isAnswered();
    expect(await dialog().findByRole('textbox', { name: 'Paste the requirement as you got it' })).toHaveValue(
      PASTED_REQUIREMENT,
    );
  });
});

describe('what is read', () => {
  it('may be several requirements, each with its own corrections', async () => {
    const opened = await readIt({
      'POST /api/requirements/read': [
        requirement(),
        requirement({ title: 'QA Lead' }),
        requirement({ title: undefined }),
      ],
    });
    const { user } = opened;
    await user.type(field('Duration'), '6 months');
    const picker = dialog().getByRole('combobox', { name: 'Found 3 requirements' });
    await user.click(picker);
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      '1. Sr Java Developer',
      '2. QA Lead',
      '3. Untitled',
    ]);
    await user.click(screen.getByRole('option', { name: '2. QA Lead' }));
    expect(field('Title')).toHaveValue('QA Lead');
    expect(field('Duration')).toHaveValue('');
    await user.click(picker);
    await user.click(screen.getByRole('option', { name: '1. Sr Java Developer' }));
    expect(field('Duration')).toHaveValue('6 months');
    await user.click(picker);
    await user.click(screen.getByRole('option', { name: '2. QA Lead' }));
    await press(opened, 'Use it');
    await isClosed();
    expect(composed(opened).at(-1)).toMatchObject({ title: 'QA Lead' });
  });

  it('may be nothing: the fields are filled by hand', async () => {
    const opened = await readIt({ 'POST /api/requirements/read': [] });
    expect(
      dialog().getByText('No job details found. Fill in what you know.', { ignore: '[role=status] *' }),
    ).toBeVisible();
    expect(dialog().getByRole('button', { name: 'Use it' })).toBeDisabled();
    await opened.user.type(field('Title'), 'QA Lead{Enter}');
    await isClosed();
    expect(composed(opened).at(-1)).toEqual({
      title: 'QA Lead',
      isClientHidden: true,
      jobLocations: [],
      employmentTypes: [],
      workAuthorization: [],
      skills: { required: [], preferred: [] },
    });
  });

  it('is shown by the button while it is being read, and the dialog stays', async () => {
    let release = (): void => undefined;
    const opened = await openDialog({
      'POST /api/requirements/read': () => new Promise((done) => (release = () => done([requirement()]))),
    });
    paste();
    await press(opened, 'Read it');
    expect(dialog().getByRole('button', { name: 'Read it' })).toHaveAttribute('aria-busy', 'true');
    await opened.user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Paste a requirement' })).toBeVisible();
    release();
    expect(await dialog().findByRole('textbox', { name: 'Title' })).toBeVisible();
  });
});

describe('a requirement that cannot be used', () => {
  it('is not read where it is too long', async () => {
    await openDialog();
    expect(dialog().getByRole('button', { name: 'Read it' })).toBeDisabled();
    paste('x'.repeat(50_001));
    expect(dialog().getByText('At most 50,000 characters. Paste the requirement alone.')).toBeVisible();
    expect(dialog().getByRole('button', { name: 'Read it' })).toBeDisabled();
    paste('x'.repeat(50_000));
    expect(dialog().getByRole('button', { name: 'Read it' })).toBeEnabled();
  });

  it('is read and composed again after a failure, with everything typed', async () => {
    const down = new Set(['read', 'compose']);
    const failing = (name: string, ok: (call: never) => unknown) => (call: never) =>
      down.has(name) ? refusal(429, 'rate_limited', `Too many: ${name}`) : ok(call);
    const opened = await openDialog({
      'POST /api/requirements/read': failing('read', () => [requirement()]),
      'POST /api/requirements/compose': failing('compose', composedPost as never),
    });
    paste();
    await press(opened, 'Read it');
    expect(await dialog().findByText('Too many: read')).toBeVisible();
    expect(field('Paste the requirement as you got it')).toHaveValue(PASTED_REQUIREMENT);
    down.delete('read');
    await press(opened, 'Retry');
    await opened.user.type(await dialog().findByRole('textbox', { name: 'Duration' }), '6 months');
    await press(opened, 'Use it');
    expect(await dialog().findByText('Too many: compose')).toBeVisible();
    expect(field('Duration')).toHaveValue('6 months');
    down.delete('compose');
    await press(opened, 'Retry');
    await isClosed();
    expect(composed(opened).at(-1)).toMatchObject({ duration: '6 months' });
  });

  it('points to the first detail that is too long', async () => {
    const opened = await readIt();
    fireEvent.change(field('Duration'), { target: { value: 'x'.repeat(201) } });
    await press(opened, 'Use it');
    expect(field('Duration')).toHaveFocus();
    expect(field('Duration')).toHaveAccessibleDescription('Too long by 1 character: at most 200');
    expect(composed(opened)).toEqual([]);
  });
});

it('is offered for job posts only', async () => {
  openWizard(
    { 'GET /api/auth/user': someone({ isAdmin: true }) },
    '/send/d1?step=2',
    fakeDrafts(storedDraft({ emailType: 'candidate-list', subject: '' })),
  );
  await screen.findByLabelText('Subject line');
  expect(screen.queryByRole('button', { name: 'Paste a requirement' })).not.toBeInTheDocument();
});
