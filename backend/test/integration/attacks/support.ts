import type request from 'supertest';
import type { TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { PASSWORD } from '../../kit/users.js';

/** Registers as a browser would. */
export const person = (email: string) => ({
  email,
  password: PASSWORD,
  firstName: 'Ann',
  lastName: 'Kumar',
  role: 'recruiter',
});

export const cookiesOf = (answer: request.Response): string[] =>
  [answer.headers['set-cookie'] ?? []].flat() as string[];

/** The Cookie header of an answer's session. */
export const sessionOf = (answer: request.Response): string =>
  cookiesOf(answer)
    .map((line) => line.split(';')[0]!)
    .join('; ');

/** The token in the nth mail to an address whose link has this path. */
export async function mailedToken(app: TestApp, email: string, path: string, nth = 1): Promise<string> {
  for (let seen = 1; ; seen += 1) {
    const found = (await app.mails.waitFor(email, seen)).filter((mail) => mail.text.includes(`${path}?token=`));
    if (found.length >= nth) return linkIn(found[nth - 1]!, path).searchParams.get('token')!;
  }
}
