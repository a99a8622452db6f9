import { describe, expect, it } from '@jest/globals';
import type { SignedUp } from '../../kit/users.js';
import { app, sql, newList, addContact, recordSend } from './support.js';

describe('the first steps', () => {
  const steps = async (user: SignedUp) =>
    (await user.agent.get('/api/dashboard/onboarding').expect(200)).body as Record<string, boolean>;
  const none = {
    verified: false,
    hasList: false,
    hasContact: false,
    hasConfirmed: false,
    hasSent: false,
    dismissed: false,
  };

  it("are completed by the account's own data", async () => {
    const user = await app.user({ verified: false });
    expect(await steps(user)).toEqual(none);
    await sql('update auth_credentials set is_verified = true where user_id = ?', [user.id]);
    expect(await steps(user)).toEqual({ ...none, verified: true });
    const list = await newList(user);
    const contact = await addContact(user, list, 'first@vendor.example');
    expect(await steps(user)).toEqual({ ...none, verified: true, hasList: true, hasContact: true });
    await sql('update subscriptions set confirmed = true, confirmed_at = now() where id = ?', [contact]);
    await recordSend(user, new Date().toISOString());
    expect(await steps(user)).toEqual({
      verified: true,
      hasList: true,
      hasContact: true,
      hasConfirmed: true,
      hasSent: true,
      dismissed: false,
    });
  });

  it('can be dismissed for an account, on all its devices', async () => {
    const [user, other] = [await app.user(), await app.user()];
    await user.agent.post('/api/dashboard/onboarding/dismiss').expect(204);
    await user.agent.post('/api/dashboard/onboarding/dismiss').expect(204);
    expect([(await steps(user)).dismissed, (await steps(other)).dismissed]).toEqual([true, false]);
  });
});
