import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { type TestApp } from '../../../kit/app.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { pdf } from '../../../kit/uploads.js';
import { type SignedUp } from '../../../kit/users.js';
import { startSending } from '../../sending/support.js';
import { uploadFile } from '../../../kit/upload-file.js';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
export const DNS = { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` };
export const MB = 1024 * 1024;

interface Part {
  filename?: string;
  contentType: string;
  contentDisposition: string;
  content: Buffer;
}
export const parts = async (raw: string): Promise<Part[]> =>
  ((await simpleParser(Buffer.from(raw, 'latin1'))) as unknown as { attachments: Part[] }).attachments;
export const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** A PDF of this many bytes. None of them form a name for which PDFs are refused. */
export const large = (bytes: number): Buffer =>
  pdf(
    randomBytes(bytes)
      .toString('hex')
      .slice(0, bytes - pdf('').length),
  );
export const attached = (...ids: string[]) => ids.map((fileId) => ({ fileId, as: 'attachment' }));
export const unique = (what: string) => `${what}-${randomUUID()}`;

/** Starts the product with signed mail to the sink, and a small budget of attached bytes. */
export const startWithAttachments = async (sink: SmtpSink, client: string): Promise<TestApp> =>
  startSending(
    {},
    {
      env: {
        SMTP_URL: `${await sink.listen()}?client=${client}`,
        DKIM_DOMAIN: 'staffcast.test',
        DKIM_SELECTOR: 'k1',
        DKIM_PRIVATE_KEY: keys.privateKey,
        ATTACHMENT_BUDGET_MB: '10',
      },
    },
  );

/** @param here returns the current app, user and mail server; read again in each call of a helper */
export function attachmentHelpers(here: () => { app: TestApp; user: SignedUp; sink: SmtpSink }) {
  return {
    /** @returns the id of the file */
    upload: async (bytes: Buffer = pdf(randomUUID()), name = 'Resume.pdf', by = here().user) =>
      (await uploadFile(by, bytes, name).expect(201)).body.id as string,
    accept: async (body: object) =>
      (await here().user.agent.post('/api/send-email').send(body).expect(202)).body.id as string,
    mailsOf: (subject: string) =>
      here()
        .sink.stored.filter(({ raw }) => raw.includes(subject))
        .map(({ raw }) => raw),
    /** `mailsOf` without mail to the user, who gets notices about a send. */
    recipientsMailsOf: (subject: string) =>
      here()
        .sink.stored.filter(({ address, raw }) => address !== here().user.email && raw.includes(subject))
        .map(({ raw }) => raw),
    bytesThere: (fileId: string) => existsSync(join(here().app.settings.filesDir!, 'documents', fileId)),
  };
}
