import { envelopeSender, readEnvelopeSender } from '../../shared/mail/envelope-sender.js';

/** The envelope sender of one delivery. */
export const bounceAddress = (deliveryId: string, domain: string, secret: string): string => envelopeSender('b', deliveryId, domain, secret);

/** The delivery that a bounce address names; null where we did not make it. */
export function readBounceAddress(address: string, secret: string): string | null {
  const mail = readEnvelopeSender(address, secret);
  return mail?.kind === 'b' ? mail.id : null;
}
