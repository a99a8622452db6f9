import { createHash, createPrivateKey, hash, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { ReadyMessage } from './bulk-transport.js';

export interface DkimOptions {
  domainName: string;
  keySelector: string;
  privateKey: string;
  /** Names of the headers to sign, separated by colons. */
  headerFieldNames: string;
  /** Names of the headers to over-sign (RFC 6376 §5.4.2): adding another header of that name breaks the signature. */
  overSignedNames?: string;
}

const signInPool = promisify((data: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
  sign('sha256', data, key, done),
);

/**
 * Makes DKIM signatures with rsa-sha256 and relaxed/relaxed canonicalisation (RFC 6376). Parses the key once and signs
 * in the thread pool, whereas nodemailer's signer parses the key for every message and signs on the event loop.
 */
export class DkimSigner {
  private readonly key: KeyObject;
  private readonly names: readonly string[];
  private readonly overSigned: readonly string[];

  constructor(private readonly options: DkimOptions) {
    this.key = dkimKey(options);
    this.names = namesIn(options.headerFieldNames);
    this.overSigned = namesIn(options.overSignedNames ?? '');
  }

  /** @returns the DKIM-Signature header, to be put before the head */
  async signatureOf(message: ReadyMessage): Promise<string> {
    const fields = relaxedFields(message.head);
    const signed = this.names.filter((name) => fields.has(name));
    const bodyHash = bodyHashOf(message);
    const { domainName, keySelector } = this.options;
    const tags = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domainName}; q=dns/txt;\r\n s=${keySelector}; bh=${bodyHash};\r\n h=${folded([...signed, ...this.overSigned])};\r\n b=`;
    const covered = `${signed.map((name) => `${name}:${fields.get(name)}\r\n`).join('')}dkim-signature:${relaxedValue(tags)}`;
    const signature = (await signInPool(Buffer.from(covered, 'latin1'), this.key)).toString('base64');
    return `DKIM-Signature: ${tags}${signature.match(/.{1,72}/g)!.join('\r\n ')}\r\n`;
  }
}

/** @throws if the key is unreadable or not an RSA key */
export function dkimKey({ privateKey }: DkimOptions): KeyObject {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('the DKIM key must be an RSA key');
  return key;
}

/** Hash of body and tail. Does not join them, because that would copy the tail. */
function bodyHashOf({ body, relaxedBody: relaxed, tail }: ReadyMessage): string {
  const text = relaxed?.() ?? relaxedBody(body);
  return tail ? createHash('sha256').update(text).update(tail).digest('base64') : hash('sha256', text, 'base64');
}

const namesIn = (list: string): string[] => [...new Set(list.toLowerCase().split(':').filter(Boolean))];

/**
 * Relaxed body canonicalisation (RFC 6376 §3.4.4): collapses white space, and removes it at line ends, together with
 * trailing empty lines. The input must be ASCII with CRLF line ends.
 */
export function relaxedBody(body: string): string {
  const relaxed = body.replace(/[ \t]+(\r\n)?/g, (_run, end?: string) => end ?? ' ').replace(/(?<!\r\n)(\r\n)+$/, '');
  return relaxed === '' ? '' : `${relaxed.trimEnd()}\r\n`;
}

/** Relaxed header values by name. Of several headers with the same name, the last one is signed. */
function relaxedFields(head: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of head.split(/\r\n(?![ \t])/)) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), relaxedValue(line.slice(colon + 1)));
  }
  return fields;
}

const relaxedValue = (value: string): string =>
  value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();

function folded(names: readonly string[]): string {
  let lines = '';
  let line = '';
  for (const name of names) {
    if (line.length + name.length > 66) {
      lines += `${line}\r\n `;
      line = '';
    }
    line += `${name}:`;
  }
  return (lines + line).slice(0, -1);
}
