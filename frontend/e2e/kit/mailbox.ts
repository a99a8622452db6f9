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

/** Waits for mails to an address in the mailbox that `npm start` brings; newest first. */
export function mailsTo(mailboxUrl: string, address: string, count = 1): Promise<Mail[]> {
  return until(`${count} mails for ${address}`, async () => {
    const mails = await inbox(mailboxUrl, address);
    return mails.length >= count ? mails : null;
  });
}

/** Waits for the mail to an address that is the one meant, whatever else comes to it; the newest such. */
export function mailTo(mailboxUrl: string, address: string, isMeant: (mail: Mail) => boolean): Promise<Mail> {
  return until(`the mail meant for ${address}`, async () => (await inbox(mailboxUrl, address)).find(isMeant));
}

/** The first link of the text part whose path starts so, as a person would press it. */
export function linkIn(mail: Mail, path: string): string {
  const found = mail.text.match(/https?:\/\/\S+/g)?.find((link) => new URL(link).pathname.startsWith(path));
  if (!found) throw new Error(`no link to ${path} in:\n${mail.text}`);
  return found;
}
