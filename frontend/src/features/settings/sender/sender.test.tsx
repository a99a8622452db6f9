import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, refusal, someone, type Call } from '../../../../test/fake-api';
import { noSenderProfile, settingsAnswers } from '../../../../test/fixtures/screen-answers';
import { renderApp } from '../../../../test/render';

/** A fake server that stores the profile like the real one. */
function open(first: object = {}, answers: Record<string, unknown> = {}) {
  let stored = { ...noSenderProfile, ...first };
  const calls = fakeApi({
    ...settingsAnswers,
    'GET /api/auth/user': someone(),
    'GET /api/sender-profile': () => stored,
    'PUT /api/sender-profile': ({ body, headers }: Call) => {
      if (headers.get('if-match') !== `"${stored.version}"`)
        return refusal(412, 'draft_changed', 'This profile was changed elsewhere');
      stored = { ...noSenderProfile, ...(body as object), version: stored.version + 1 };
      return stored;
    },
    ...answers,
  });
  const saves = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  const changeElsewhere = (over: object) => (stored = { ...stored, ...over, version: stored.version + 1 });
  return { calls, saves, changeElsewhere, ...renderApp('/settings') };
}
const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the sender profile', () => {
  it('is saved whole, with what the other section holds', async () => {
    const { user, saves } = open({ version: 3, accent: 'teal', showLogo: true });
    const form = await section('Sender profile');
    await user.type(await form.findByLabelText(/^Title/), 'Recruiter');
    await user.type(form.getByLabelText('Street address'), '12 Main Street');
    await user.type(form.getByLabelText('City'), 'Hartford');
    await user.type(form.getByLabelText('State'), 'CT');
    await user.type(form.getByLabelText('Postal code'), '06103');
    await user.click(form.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Sender Profile Updated!')).toBeVisible();
    expect(saves()).toEqual([
      expect.objectContaining({
        title: 'Recruiter',
        phone: null,
        addressLine1: '12 Main Street',
        accent: 'teal',
        showLogo: true,
      }),
    ]);
  });

  it('says under its field what is missing or wrong, and sends nothing', async () => {
    const { user, saves } = open();
    const form = await section('Sender profile');
    await user.type(await form.findByLabelText(/^Website/), 'http://acme.test');
    await user.type(form.getByLabelText('City'), 'Hartford');
    await user.click(form.getByRole('button', { name: 'Save changes' }));
    expect(await form.findByText('Please enter a web address that begins with https')).toBeVisible();
    for (const text of ['Street address is required', 'State or country is required', 'Postal code is required'])
      expect(form.getByText(text)).toBeVisible();
    expect(saves()).toEqual([]);
  });

  it('keeps what was typed when it was changed elsewhere, and can then be saved over it', async () => {
    const { user, saves, changeElsewhere } = open({ version: 1 });
    const form = await section('Sender profile');
    await user.type(await form.findByLabelText(/^Phone/), '555 0142');
    changeElsewhere({ title: 'Director' });
    await user.click(form.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Update Failed')).toBeVisible();
    expect(form.getByLabelText(/^Phone/)).toHaveValue('555 0142');
    await waitFor(() => expect(form.getByLabelText(/^Title/)).toHaveValue('Director'));
    await user.click(form.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(saves()).toHaveLength(2));
    expect(saves()[1]).toMatchObject({ title: 'Director', phone: '555 0142' });
  });
});

describe('the look of emails', () => {
  it('makes a signature of the details, and shows it before it is saved', async () => {
    const { user, calls, saves } = open({ title: 'Recruiter', phone: '555 0142', website: 'https://www.acme.test/' });
    const form = await section('Look of your emails');
    await user.click(await form.findByRole('button', { name: 'Use my details' }));
    const editor = await form.findByRole('textbox', { name: 'Signature' });
    await waitFor(() => expect(editor).toHaveTextContent('Dana WhitfieldRecruiter, Northline555 0142acme.test'));
    const previews = () => calls.filter(({ path }) => path === '/api/sender-profile/preview').map(({ body }) => body);
    await waitFor(() => expect(JSON.stringify(previews().at(-1))).toContain('Dana Whitfield'));
    await user.click(form.getByRole('combobox', { name: 'Colour of links and buttons' }));
    await user.click(await screen.findByRole('option', { name: 'Teal' }));
    await user.type(form.getByLabelText(/^Closing line/), 'Confidential.');
    await user.click(form.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(saves()).toHaveLength(1));
    const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Confidential.' }] };
    expect(saves()[0]).toMatchObject({
      accent: 'teal',
      title: 'Recruiter',
      footer: { type: 'doc', version: 1, content: [paragraph] },
    });
    await waitFor(() => expect(form.getByRole('button', { name: 'Save changes' })).toBeDisabled());
  });

  it('offers neither lists, tables nor merge tags in a signature', async () => {
    open();
    const form = await section('Look of your emails');
    const toolbar = within(await form.findByRole('toolbar', { name: 'Formatting' }));
    expect(toolbar.getByRole('button', { name: 'Bold' })).toBeInTheDocument();
    for (const name of ['Bullets', 'Numbers', 'Table', 'Insert tag'])
      expect(toolbar.queryByRole('button', { name })).not.toBeInTheDocument();
  });

  it('keeps what was typed when the save fails, and says so', async () => {
    const { user } = open(
      {},
      { 'PUT /api/sender-profile': answer({ statusCode: 500, code: 'internal', message: 'No' }, 500) },
    );
    const form = await section('Look of your emails');
    await user.type(await form.findByLabelText(/^Closing line/), 'Confidential.');
    await user.click(form.getByRole('button', { name: 'Save changes' }));
    expect(await form.findByText(/^Update Failed/)).toBeVisible();
    expect(form.getByLabelText(/^Closing line/)).toHaveValue('Confidential.');
  });

  it('says when the profile cannot be loaded, and tries again', async () => {
    let isDown = true;
    const { user } = open(
      {},
      { 'GET /api/sender-profile': () => (isDown ? refusal(500, 'internal', 'Broken') : noSenderProfile) },
    );
    const form = await section('Look of your emails');
    const retry = await form.findByRole('button', { name: 'Retry' });
    isDown = false;
    await user.click(retry);
    expect(await form.findByLabelText(/^Closing line/)).toBeVisible();
  });
});
