import { randomUUID } from 'node:crypto';
import type { TestApp } from '../../../kit/app.js';
import { doc, paragraph } from '../../../kit/samples/documents.js';
import { linkIn } from '../../../kit/mail-catcher.js';
import { pdf } from '../../../kit/uploads.js';
import type { SignedUp } from '../../../kit/users.js';
import { documentBody, type SeededList, settled } from '../../sending/support.js';
import { uploadFile } from '../../../kit/upload-file.js';

export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

export const fileLink = (fileId: string, label = ''): { type: string; attrs: object } => ({
  type: 'fileLink',
  attrs: { fileId, label },
});
export const tokenOf = (url: URL): string => /^\/files\/([\w-]{43})/.exec(url.pathname)![1]!;

/** @param here returns the current app, user and list; read again in each call of a helper */
export function fileLinkHelpers(here: () => { app: TestApp; user: SignedUp; people: SeededList }) {
  /** @returns the id of the file */
  const upload = async (name = 'Resume, Java developer.pdf', by = here().user) =>
    (await uploadFile(by, pdf(randomUUID()), name).expect(201)).body.id as string;
  const info = (token: string) => here().app.http().get(`/api/files/links/${token}`);
  const download = (token: string, agent: string | null = BROWSER) => {
    const call = here().app.http().post(`/api/files/links/${token}/download`).set('Sec-Fetch-Site', 'same-origin');
    return agent === null ? call : call.set('User-Agent', agent);
  };
  const counts = async (id: string) => {
    const { body } = await here().user.agent.get(`/api/files/${id}`).expect(200);
    return { usedIn: body.usedIn, downloads: body.downloads, automated: body.automated };
  };
  /** Sends a document with a file. @returns the token of its link, and the mail */
  async function sent(fileId: string, extra: object = {}, by = here().user, list = here().people) {
    const subject = `Files ${randomUUID()}`;
    const body = documentBody(list, doc(paragraph('Please see below.')), { subject, files: [{ fileId }], ...extra });
    const { body: accepted } = await by.agent.post('/api/send-email').send(body).expect(202);
    await settled(by, accepted.id as string);
    const mails = here().app.mails.all.filter((mail) => mail.subject === subject);
    return { token: tokenOf(linkIn(mails[0]!, '/files/')), mails, sendId: accepted.id as string, subject };
  }
  return { upload, info, download, counts, sent };
}
