import type { ReadyMessage, SendReceipt } from './bulk-transport.js';

/** A message in transmission. It is settled exactly once. */
export interface Transmission {
  message: ReadyMessage;
  /** DKIM-Signature header, to be sent before the head. */
  signature: string;
  resolve(receipt: SendReceipt): void;
  reject(fault: Error): void;
  /** Whether the message was sent again once, because the server closed an idle connection. */
  requeued: boolean;
}

/** Size of a message in bytes as SMTP counts it, which is without the final dot. */
export const transmittedSize = ({ signature, message: { head, body, tail } }: Transmission): number =>
  signature.length + head.length + 2 + body.length + (tail?.length ?? 0);

/** Doubles the dots at the start of lines and terminates the last line. */
export function dotStuffed(body: string): string {
  const doubled = body.replace(/^\./gm, '..');
  return doubled.endsWith('\r\n') ? doubled : `${doubled}\r\n`;
}

/** Decodes a reply as UTF-8. Removes zero bytes, because PostgreSQL refuses them. */
export const decodedReply = (reply: string): string =>
  Buffer.from(reply, 'latin1').toString('utf8').replaceAll('\0', '');
