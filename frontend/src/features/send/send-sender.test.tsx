import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, page, refusal } from '../../../test/fake-api';
import { noSenderProfile } from '../../../test/fixtures/screen-answers';
import { fakeDrafts, openWizard, pressSend, storedDraft, write } from '../../../test/send-kit';

const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Ann' }] };
const signature = { type: 'doc', version: 1, content: [paragraph] };
const accepted = answer({ id: 'h1', status: 'pending', recipientCount: '1', message: 'On its way.' }, 202);

describe('the parts of the sender’s profile in an email', () => {
  it('are offered where the profile has them: on for rich text, off for plain text', async () => {
    const opened = openWizard({
      'GET /api/sender-profile': { ...noSenderProfile, signature, showLogo: true },
    });
    await write(opened);
    const signed = await screen.findByRole('switch', { name: 'Signature' });
    expect(signed).not.toBeChecked();
    expect(screen.getByRole('switch', { name: 'Logo' })).not.toBeChecked();
    await opened.user.click(signed);
    expect(signed).toBeChecked();
    await pressSend(opened);
    await waitFor(() => expect(opened.sends()).toHaveLength(1));
    expect(opened.sends()[0]!.body).toMatchObject({ signature: true });
    expect(opened.sends()[0]!.body).not.toHaveProperty('brand');
  });

  it('are kept with the draft and shown in the preview', async () => {
    const drafts = fakeDrafts(
      storedDraft({ step: 4, content: null, document: signature, emailListIds: ['l1'], brand: null, signature: false }),
    );
    const opened = openWizard({ 'GET /api/sender-profile': { ...noSenderProfile, signature } }, '/send/d1', drafts);
    const signed = await screen.findByRole('switch', { name: 'Signature' });
    expect(signed).not.toBeChecked();
    expect(screen.queryByRole('switch', { name: 'Logo' })).not.toBeInTheDocument();
    await opened.user.click(signed);
    await waitFor(() => expect(opened.saves().at(-1)?.body).toMatchObject({ signature: true }));
    const previews = () => opened.calls.filter(({ path }) => path === '/api/send-email/render');
    await waitFor(() => expect(previews().at(-1)!.body).toMatchObject({ signature: true }));
  });

  it('are those of a template of the user’s own that is used, and are saved with one', async () => {
    const saved: unknown[] = [];
    const own = { id: 't1', name: 'Unsigned', subject: null, emailType: 'job-post', brand: null, signature: false };
    const opened = openWizard(
      {
        'GET /api/sender-profile': { ...noSenderProfile, signature, showLogo: true },
        'GET /api/email-templates': page([own]),
        'POST /api/email-templates/t1/use': { ...own, document: signature },
        'POST /api/email-templates': ({ body }: { body: unknown }) => {
          saved.push(body);
          return answer(own, 201);
        },
      },
      '/send/d1',
      fakeDrafts(storedDraft({ step: 3, content: null, document: null, emailListIds: ['l1'], brand: false })),
    );
    const { user } = opened;
    await user.click(await screen.findByRole('button', { name: 'My templates' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Unsigned' }));
    await waitFor(() => expect(opened.saves().at(-1)?.body).toMatchObject({ brand: false, signature: false }));
    await user.click(screen.getByRole('button', { name: 'Save as template' }));
    await user.click(await screen.findByRole('button', { name: 'Save template' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({ brand: false, signature: false, document: signature });
  });

  it('leads to the settings where the profile has none', async () => {
    const opened = openWizard();
    await write(opened);
    expect(await screen.findByRole('link', { name: 'Add a signature and a logo' })).toHaveAttribute(
      'href',
      '/settings#look',
    );
  });
});

describe('a send that needs a business address', () => {
  const refused = refusal(403, 'sender_address_required', 'Add your business address first');

  it('asks for it, saves it and goes on', async () => {
    let profile = noSenderProfile;
    const saved: unknown[] = [];
    const opened = openWizard({
      'GET /api/sender-profile': () => profile,
      'PUT /api/sender-profile': ({ body }: { body: unknown }) => {
        saved.push(body);
        return (profile = { ...noSenderProfile, version: 1 });
      },
      'POST /api/send-email': () => (profile.version === 0 ? refused.clone() : accepted.clone()),
    });
    await write(opened);
    await pressSend(opened);
    const dialog = within(await screen.findByRole('dialog', { name: 'Add your business address' }));
    expect(dialog.getByText('US law asks for a postal address in every commercial email.')).toBeVisible();
    await opened.user.click(dialog.getByRole('button', { name: 'Save and continue' }));
    expect(await dialog.findByText('Postal code is required')).toBeVisible();
    expect(saved).toEqual([]);
    await opened.user.type(dialog.getByLabelText('Street address'), '12 Main Street');
    await opened.user.type(dialog.getByLabelText('City'), 'Hartford');
    await opened.user.type(dialog.getByLabelText('State'), 'CT');
    await opened.user.type(dialog.getByLabelText('Postal code'), '06103');
    await opened.user.click(dialog.getByRole('button', { name: 'Save and continue' }));
    expect((await screen.findAllByText('Email Sent Successfully!'))[0]).toBeVisible();
    expect(saved).toEqual([expect.objectContaining({ addressLine1: '12 Main Street', postalCode: '06103' })]);
    expect(opened.sends()).toHaveLength(2);
  });

  it('loses nothing where it is not given now', async () => {
    const opened = openWizard({ 'POST /api/send-email': () => refused.clone() });
    await write(opened);
    await pressSend(opened);
    const dialog = within(await screen.findByRole('dialog', { name: 'Add your business address' }));
    await opened.user.click(dialog.getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByText('Send Failed: Add your business address first')).toBeVisible();
    expect(screen.getByText('Step 4 of 4')).toBeVisible();
  });
});
