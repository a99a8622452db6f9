import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { answer, fakeApi, refusal, signedOut } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { entryKind } from '../../app/entry-kind';

const file = {
  name: 'Resume, Java developer.pdf',
  mediaType: 'application/pdf',
  byteSize: 240 * 1024,
  senderName: 'Dana Cole',
  senderAgency: 'Northline',
  expiresAt: '2026-12-21T10:00:00.000Z',
};
const submit = jest.fn();

beforeEach(() => {
  submit.mockClear();
  // jsdom does not submit forms.
  HTMLFormElement.prototype.submit = function () {
    submit(this.method, this.getAttribute('action'));
  };
});
afterEach(() => void Reflect.deleteProperty(HTMLFormElement.prototype, 'submit'));

function open(shared: unknown, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({ 'GET /api/auth/user': signedOut, 'GET /api/files/links/tok': shared, ...answers });
  return { calls, ...renderApp('/files/tok') };
}
const gone = (details?: object) =>
  answer({ statusCode: 410, code: 'file_gone', message: 'This file is no longer available.', details }, 410);

describe('the page of a link to a file', () => {
  it('says what the file is and who shares it, and has it downloaded by a form', async () => {
    const { user } = open(file);
    expect(await screen.findByRole('heading', { level: 1, name: file.name })).toBeVisible();
    expect(screen.getByText(/PDF, 240 KB/)).toBeVisible();
    expect(screen.getByText(/Shared by Dana Cole, Northline until Dec 21, 2026/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText('The download has begun.')).toBeVisible();
    expect(submit).toHaveBeenCalledWith('post', '/api/files/links/tok/download');
  });

  it('acts on nothing when it is opened', async () => {
    const { calls } = open(file);
    await screen.findByRole('button', { name: 'Download' });
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('says so where the file went away before the press', async () => {
    let isGone = false;
    const { user } = open(() => (isGone ? gone() : answer(file)));
    const button = await screen.findByRole('button', { name: 'Download' });
    isGone = true;
    await user.click(button);
    expect(await screen.findByText('This file is no longer available.')).toBeVisible();
    expect(submit).not.toHaveBeenCalled();
  });

  it('names whom to ask for a file that is gone', async () => {
    open(gone({ senderName: 'Dana Cole', senderEmail: 'dana+jobs@northline.example' }));
    expect(await screen.findByRole('heading', { name: 'This file is no longer available.' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Ask Dana Cole' })).toHaveAttribute(
      'href',
      'mailto:dana%2Bjobs@northline.example',
    );
  });

  it('names nobody where the account is closed', async () => {
    open(gone());
    expect(await screen.findByText('This file is no longer available.')).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Ask/ })).not.toBeInTheDocument();
  });

  it.each([
    ['unknown', refusal(404, 'not_found', 'This link is not valid'), 'This link is not valid', false],
    ['checked', refusal(409, 'file_not_ready', 'This file is being checked'), 'This file is being checked', true],
    ['limited', refusal(429, 'rate_limited', 'Slow down'), 'Too many tries', true],
    ['failing', refusal(500, 'internal', 'Oops'), 'The file could not be loaded', true],
  ])('has a clear word for an answer that is %s', async (_what, refused, title, mayReturn) => {
    let given: unknown = refused;
    const { user } = open(() => given);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download' })).not.toBeInTheDocument();
    if (!mayReturn) return expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    given = file;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Download' })).toBeVisible();
  });

  it('reports the file after one question, and thanks', async () => {
    const { user, calls } = open(file, { 'POST /api/files/links/tok/report': answer(undefined, 204) });
    await user.click(await screen.findByRole('button', { name: 'Report this file' }));
    const reports = () => calls.filter(({ path }) => path.endsWith('/report'));
    expect(reports()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Report' }));
    expect(await screen.findByText(/^Thank you\./)).toBeVisible();
    await waitFor(() => expect(reports()).toHaveLength(1));
  });

  it('loads as little as other pages that open from a mail', () => expect(entryKind('/files/tok')).toBe('mailed'));
});
