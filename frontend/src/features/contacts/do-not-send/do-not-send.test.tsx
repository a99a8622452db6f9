import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../../test/fake-api';
import { renderApp } from '../../../../test/render';
import type { CompanyDto, DoNotSendRuleDto } from '../../../api/endpoints.gen';

const rule = (over: Partial<DoNotSendRuleDto> = {}): DoNotSendRuleDto => ({
  id: 'r1',
  kind: 'domain',
  value: 'client.example',
  reason: 'end_client',
  note: 'Placement runs',
  until: null,
  createdAt: '2026-11-03T10:07:00.000Z',
  matches: 12,
  ...over,
});
const company = (over: Partial<CompanyDto> = {}): CompanyDto => ({
  domain: 'acme.example',
  name: 'Acme Staffing',
  kind: null,
  contacts: 12,
  lastMailedAt: null,
  maxPerSend: null,
  note: null,
  doNotSendId: null,
  ...over,
});

function open(path: string, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/do-not-send': page([rule()]),
    'GET /api/do-not-send/suggestion': { value: null },
    'GET /api/companies': page([company()]),
    ...answers,
  });
  return { calls, ...renderApp(path) };
}
const posted = (calls: ReturnType<typeof open>['calls'], path: string) =>
  calls.filter((call) => call.method !== 'GET' && call.path === path).at(-1)?.body;

describe('the do-not-send list', () => {
  it('shows rules with what they cover', async () => {
    open('/contacts/do-not-send');
    expect(await screen.findByRole('heading', { level: 1, name: 'Do not send' })).toBeVisible();
    expect(screen.getByText('Addresses and companies your emails never go to.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Matches 12 contacts' })).toHaveAttribute(
      'href',
      '/contacts?q=client.example',
    );
    expect(screen.getByRole('link', { name: 'Do not send' })).toHaveAttribute('aria-current', 'page');
  });

  it("adds a rule, and shows the server's refusal under the field", async () => {
    const { user, calls } = open('/contacts/do-not-send', {
      'POST /api/do-not-send': (call: { body: { value: string } }) =>
        call.body.value === 'co.uk'
          ? refusal(400, 'validation_failed', 'Enter an address or a domain', [
              { field: 'value', message: 'Enter an address or a domain' },
            ])
          : answer(rule({ value: call.body.value }), 201),
    });
    const field = await screen.findByRole('textbox', { name: 'Address or domain' });
    await user.type(field, 'co.uk');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(field).toHaveAccessibleDescription('Enter an address or a domain'));
    await user.clear(field);
    await user.type(field, 'client.example');
    await user.type(screen.getByRole('textbox', { name: /^Note/ }), 'Runs until spring');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(field).toHaveValue(''));
    expect(posted(calls, '/api/do-not-send')).toEqual({
      value: 'client.example',
      reason: 'end_client',
      note: 'Runs until spring',
      until: null,
    });
  });

  it('asks before a rule that covers very many contacts', async () => {
    const text = 'This blocks all 12,412 of your contacts at gmail.com. Send it again with confirm to go ahead.';
    const { user, calls } = open('/contacts/do-not-send', {
      'POST /api/do-not-send': (call: { body: { confirm?: boolean } }) =>
        call.body.confirm ? answer(rule({ value: 'gmail.com' }), 201) : refusal(409, 'broad_rule', text),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Address or domain' }), 'gmail.com');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Never send to gmail.com?' });
    expect(within(dialog).getByText('This blocks all 12,412 of your contacts at gmail.com.')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Add rule' }));
    await waitFor(() => expect(posted(calls, '/api/do-not-send')).toMatchObject({ confirm: true }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  });

  it('explains the reason "They asked me to stop"', async () => {
    const { user, calls } = open('/contacts/do-not-send', {
      'POST /api/do-not-send': answer({ ...rule(), id: null, kind: 'address', value: 'jane@x.example' }, 201),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Address or domain' }), 'jane@x.example');
    await user.click(screen.getByRole('combobox', { name: 'Reason' }));
    await user.click(screen.getByRole('option', { name: 'They asked me to stop' }));
    expect(screen.getByText(/They leave all your lists/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('Removed From All Lists')).toBeVisible();
    expect(posted(calls, '/api/do-not-send')).toMatchObject({ reason: 'asked_to_stop', until: null });
  });

  it('suggests the own agency first', async () => {
    const { user, calls } = open('/contacts/do-not-send', {
      'GET /api/do-not-send': page([]),
      'GET /api/do-not-send/suggestion': { value: 'acme.example' },
      'POST /api/do-not-send': answer(rule({ value: 'acme.example' }), 201),
    });
    expect(await screen.findByText('No rules yet.')).toBeVisible();
    expect(await screen.findByText('Never send to your own agency?')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add acme.example' }));
    await waitFor(() =>
      expect(posted(calls, '/api/do-not-send')).toEqual({ value: 'acme.example', reason: 'own_agency' }),
    );
  });

  it('adds many lines, and reports those that were refused', async () => {
    const { user, calls } = open('/contacts/do-not-send?new=many', {
      'POST /api/do-not-send/bulk': answer({
        added: 2,
        withdrawn: 0,
        refused: [{ line: 3, value: 'co.uk', reason: 'Enter an address or a domain' }],
      }),
    });
    const dialog = await screen.findByRole('dialog', { name: 'Add many' });
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Addresses and domains' }),
      'a.example{enter}b.example{enter}co.uk',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(await within(dialog).findByText('2 rules added.')).toBeVisible();
    expect(within(dialog).getByText('Line 3: co.uk (Enter an address or a domain)')).toBeVisible();
    expect(posted(calls, '/api/do-not-send/bulk')).toEqual({ text: 'a.example\nb.example\nco.uk', reason: 'other' });
  });

  it('changes and deletes a rule', async () => {
    const { user, calls } = open('/contacts/do-not-send', {
      'PATCH /api/do-not-send/r1': rule({ reason: 'competitor' }),
      'DELETE /api/do-not-send/r1': answer(null, 204),
    });
    const act = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: 'Actions for client.example' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await act('Edit');
    const dialog = await screen.findByRole('dialog', { name: 'Edit client.example' });
    await user.click(within(dialog).getByRole('combobox', { name: 'Reason' }));
    expect(screen.queryByRole('option', { name: 'They asked me to stop' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('option', { name: 'Competitor' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(posted(calls, '/api/do-not-send/r1')).toEqual({
        reason: 'competitor',
        note: 'Placement runs',
        until: null,
      }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await act('Delete');
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete rule' }));
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
  });
});

describe('the companies', () => {
  it('are edited, and blocked with a reason', async () => {
    const { user, calls } = open('/contacts/companies', {
      'PATCH /api/companies/acme.example': company({ maxPerSend: 2 }),
      'POST /api/do-not-send': answer(rule({ value: 'acme.example' }), 201),
    });
    expect(await screen.findByRole('link', { name: 'Acme Staffing' })).toHaveAttribute(
      'href',
      '/contacts?domain=acme.example',
    );
    const act = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: 'Actions for acme.example' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await act('Edit');
    const dialog = await screen.findByRole('dialog', { name: 'Edit acme.example' });
    const cap = within(dialog).getByRole('textbox', { name: /^At most per send/ });
    await user.type(cap, '99');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('A number from 1 to 50')).toBeVisible();
    await user.clear(cap);
    await user.type(cap, '2');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(posted(calls, '/api/companies/acme.example')).toEqual({ kind: null, maxPerSend: 2, note: null }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await act('Do not send');
    const block = await screen.findByRole('dialog', { name: 'Never send to acme.example' });
    await user.click(within(block).getByRole('button', { name: 'Do not send' }));
    await waitFor(() =>
      expect(posted(calls, '/api/do-not-send')).toMatchObject({ value: 'acme.example', reason: 'end_client' }),
    );
  });
});
