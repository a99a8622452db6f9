import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { fakeApi, page, refusal, someone } from '../../../../test/fake-api';
import { item } from '../../../../test/fixtures/history-fixtures';
import { renderApp } from '../../../../test/render';

const counts = {
  queued: 0,
  sent: 2,
  unconfirmed: 0,
  failed: 0,
  skipped: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
};
const message = {
  subject: 'A job for Maya',
  preheader: 'Hybrid',
  html: '<html><head></head><body><p>Hi Maya,</p></body></html>',
  text: 'Hi Maya,',
  recipient: { contactId: 'c1', email: 'maya@vendor.example', name: 'Maya Rao', listName: 'Java', emptyTags: [] },
  next: null,
  previous: null,
};

async function open(answer: unknown) {
  fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-history/h1': { ...item(), content: 'Hi {{first_name}},', lists: [], counts, retryable: 0 },
    'GET /api/email-history/h1/deliveries': page([
      { id: 'd1', recipientEmail: 'maya@vendor.example', status: 'sent', messageId: '<1>', sentAt: null, detail: null },
    ]),
    'GET /api/email-history/h1/deliveries/d1/message': answer,
  });
  const { user } = renderApp('/history/h1');
  await user.click(await screen.findByRole('button', { name: 'maya@vendor.example' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'maya@vendor.example' }));
  await user.click(dialog.getByRole('button', { name: 'As maya@vendor.example reads it' }));
  return { dialog, user };
}

it("the message is shown as one recipient of the log reads it, with the contact's present details", async () => {
  const { dialog, user } = await open(message);
  expect(await dialog.findByRole('heading', { name: 'As Maya Rao reads it' })).toBeVisible();
  expect(dialog.getByText("With the contact's details of today.")).toBeVisible();
  expect(dialog.getByText('A job for Maya')).toBeVisible();
  const frame = dialog.getByTitle<HTMLIFrameElement>('As Maya Rao reads it');
  expect(frame.srcdoc).toContain('<p>Hi Maya,</p>');
  await user.click(dialog.getByRole('button', { name: 'Plain text' }));
  expect(dialog.getByText('Hi Maya,')).toBeVisible();
});

it('the details of a network member are marked as examples', async () => {
  const { dialog } = await open({ ...message, recipient: null });
  expect(await dialog.findByText('Made-up details: those of network members are not shown.')).toBeVisible();
});

it('a message that could not be loaded can be requested again', async () => {
  let isDown = true;
  const { dialog, user } = await open(() => (isDown ? refusal(503, 'unavailable', 'Busy') : message));
  await dialog.findByText('The message could not be made.');
  isDown = false;
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByRole('heading', { name: 'As Maya Rao reads it' })).toBeVisible();
});
