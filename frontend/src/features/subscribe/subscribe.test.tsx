import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { fakeApi, refusal, signedOut } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';

const list = {
  id: 'l1',
  slug: 'java-x1',
  name: 'Java vendors',
  description: 'Openings on the East Coast',
  agencyName: 'Northline',
  agencyLogo: 'https://logo.example/l.png',
  ownerName: 'Dana Whitfield',
  subscriptionType: 'job-posts',
};
const slugCall = 'GET /api/email-lists/slug/java-x1';

describe("a list's public page", () => {
  it('describes the list, and asks for an address', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': signedOut,
      [slugCall]: list,
      'POST /api/subscribe': { message: 'ok' },
    });
    const { user, router, container } = renderApp('/subscribe/list/java-x1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Java vendors' })).toBeVisible();
    expect(screen.getByText('Dana Whitfield invites you to receive job posts by email.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'What happens next?' })).toBeVisible();
    const logo = container.querySelector('img');
    expect(logo).toHaveAttribute('referrerpolicy', 'no-referrer');
    await user.click(screen.getByRole('button', { name: 'Subscribe' }));
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Email' }), ' maya@vendor.example ');
    await user.click(screen.getByRole('button', { name: 'Subscribe' }));
    expect(await screen.findByText('Check Your Email!')).toBeVisible();
    expect(await screen.findByRole('heading', { level: 1, name: 'Check Your Email' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/subscribe/pending');
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'maya@vendor.example',
      subscriptionType: 'job-posts',
      emailListId: 'l1',
    });
  });

  it('says that there is no such list', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut, [slugCall]: refusal(404, 'not_found', 'List not found') });
    renderApp('/subscribe/list/java-x1');
    expect(await screen.findByRole('heading', { level: 1, name: 'List Not Found' })).toBeVisible();
  });

  it.each([
    ['Already Subscribed', 409, 'This email is already subscribed to this list'],
    ['Confirmation Pending', 409, 'A confirmation email has already been sent. Please check your inbox.'],
    ['Subscription Failed', 429, 'Too many requests. Please try again later.'],
  ])('says %s', async (title, status, message) => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      [slugCall]: list,
      'POST /api/subscribe': refusal(status, 'x', message),
    });
    const { user } = renderApp('/subscribe/list/java-x1');
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'maya@vendor.example{Enter}');
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText(message)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue('maya@vendor.example');
  });
});

describe("the landing page's form", () => {
  it('subscribes to the network with the chosen type', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': signedOut, 'POST /api/subscribe': { message: 'ok' } });
    const { user, router } = renderApp('/');
    const email = await screen.findByRole('textbox', { name: 'Email' });
    await user.type(email, 'nobody{Enter}');
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    expect(email).toHaveFocus();
    await user.clear(email);
    await user.type(email, 'maya@vendor.example');
    await user.click(screen.getByRole('radio', { name: /Candidate lists/ }));
    await user.click(screen.getByRole('button', { name: 'Subscribe' }));
    expect(await screen.findByText('Check Your Email!')).toBeVisible();
    expect(router.state.location.pathname).toBe('/subscribe/pending');
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'maya@vendor.example',
      subscriptionType: 'candidate-lists',
    });
  });

  it('keeps the input when the server cannot be reached', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/subscribe': () => {
        throw new TypeError('gone');
      },
    });
    const { user } = renderApp('/');
    const email = await screen.findByRole('textbox', { name: 'Email' });
    await user.type(email, 'maya@vendor.example{Enter}');
    expect(await screen.findByText('Subscription Failed')).toBeVisible();
    expect(email).toHaveValue('maya@vendor.example');
  });
});
