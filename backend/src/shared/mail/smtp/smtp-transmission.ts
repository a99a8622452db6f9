import type { ReadyMessage, SendReceipt } from './bulk-transport.js';

/** A message in transmission; settled exactly once. */
export interface Transmission {
  message: ReadyMessage;
  /** DKIM-Signature lines that precede the head. */
  signature: string;
  resolve(receipt: SendReceipt): void;
  reject(fault: Error): void;
  /** The message was requeued once already, because an idle connection was closed under it. */
  requeued: boolean;
}

/** Size in bytes as SMTP counts it: without the final dot. */
export const transmittedSize = ({ signature, message: { head, body, tail } }: Transmission): number =>
  signature.length + head.length + 2 + body.length + (tail?.length ?? 0);

/** Doubles leading dots and terminates the last line. */
export function dotStuffed(body: string): string {
  const doubled = body.replace(/^\./gm, '..');
  return doubled.endsWith('\r\n') ? doubled : `${doubled}\r\n`;
}

/** A reply as UTF-8, without the zero bytes that PostgreSQL refuses. */
export const decodedReply = (reply: string): string =>
  Buffer.from(reply, 'latin1').toString('utf8').replaceAll('\0', '');
