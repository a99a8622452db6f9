import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { someone } from '../../../../test/fake-api';
import {
  dialog,
  field,
  press,
  question,
  isClosed,
  isAnswered,
  composed,
  readIt,
} from '../../../../test/requirement-kit';
import { fakeDrafts, openWizard, PASTED_REQUIREMENT, requirement, storedDraft } from '../../../../test/send-kit';

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

it('is offered for job posts only', async () => {
  openWizard(
    { 'GET /api/auth/user': someone({ isAdmin: true }) },
    '/send/d1?step=2',
    fakeDrafts(storedDraft({ emailType: 'candidate-list', subject: '' })),
  );
  await screen.findByLabelText('Subject line');
  expect(screen.queryByRole('button', { name: 'Paste a requirement' })).not.toBeInTheDocument();
});
