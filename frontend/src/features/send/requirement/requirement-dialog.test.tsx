import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { refusal } from '../../../../test/fake-api';
import {
  dialog,
  field,
  paste,
  press,
  question,
  isClosed,
  isAnswered,
  composed,
  openDialog,
  readIt,
} from '../../../../test/requirement-kit';
import { composedPost, PASTED_REQUIREMENT, requirement } from '../../../../test/send-kit';

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
