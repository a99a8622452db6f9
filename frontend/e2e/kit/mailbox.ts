import { setTimeout as pause } from 'node:timers/promises';

export interface Mail {
  id: string;
  subject: string;
  text: string;
  html: string;
}

/** Waits for mails to an address in the mailbox that `npm start` brings; newest first. */
export async function mailsTo(mailboxUrl: string, address: string, count = 1, limitMs = 30_000): Promise<Mail[]> {
  const end = Date.now() + limitMs;
  for (;;) {
    const response = await fetch(`${mailboxUrl}/api/email?to.address=${encodeURIComponent(address)}&sort=desc`);
    const mails = (await response.json()) as Mail[];
    if (mails.length >= count) return mails;
    if (Date.now() > end) throw new Error(`${mails.length} of ${count} mails for ${address} after ${limitMs} ms`);
    await pause(150);
  }
}

/** The first link of the text part whose path starts so, as a person would press it. */
export function linkIn(mail: Mail, path: string): string {
  const found = mail.text.match(/https?:\/\/\S+/g)?.find((link) => new URL(link).pathname.startsWith(path));
  if (!found) throw new Error(`no link to ${path} in:\n${mail.text}`);
  return found;
}
