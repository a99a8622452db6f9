import { until } from './until.ts';

export interface Mail {
  id: string;
  subject: string;
  text: string;
  html: string;
}

async function inbox(mailboxUrl: string, address: string): Promise<Mail[]> {
  const response = await fetch(`${mailboxUrl}/api/email?to.address=${encodeURIComponent(address)}&sort=desc`);
  return (await response.json()) as Mail[];
}

/**
 * Waits for mails to an address in the embedded mailbox.
 * @returns the mails, newest first
 */
export function mailsTo(mailboxUrl: string, address: string, count = 1): Promise<Mail[]> {
  return until(`${count} mails for ${address}`, async () => {
    const mails = await inbox(mailboxUrl, address);
    return mails.length >= count ? mails : null;
  });
}

/**
 * Waits for a matching mail to an address.
 * @returns the newest one
 */
export function mailTo(mailboxUrl: string, address: string, isMeant: (mail: Mail) => boolean): Promise<Mail> {
  return until(`the mail meant for ${address}`, async () => (await inbox(mailboxUrl, address)).find(isMeant));
}

/** The source of a mail, with one character per byte. */
export async function sourceOf(mailboxUrl: string, { id }: Mail): Promise<string> {
  const response = await fetch(`${mailboxUrl}/api/email/${id}/source`);
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
}

/** The first link in the text part whose path starts with `path`. Links of words are in parentheses. */
export function linkIn(mail: Mail, path: string): string {
  const found = mail.text.match(/https?:\/\/[^\s()]+/g)?.find((link) => new URL(link).pathname.startsWith(path));
  if (!found) throw new Error(`no link to ${path} in:\n${mail.text}`);
  return found;
}
