import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../shared/clock/clock.js';
import { Settings } from '../../shared/config/settings.js';
import { notFound, AppError, unauthorized } from '../../shared/errors/app-error.js';
import { REPORT_BYTES } from './mail-report.js';

export const badSignature = () => unauthorized('The signature is wrong or too old');
export const reportTooLarge = () => new AppError('payload_too_large', 413, 'The message is too large');
export const tooManyReports = () =>
  new AppError('unavailable', 503, 'Too many reports at once. Please try again.', { headers: { 'Retry-After': '5' } });

const TOLERANCE_SECONDS = 300;
/** Maximum size of a body in bytes. The load balancer enforces the same limit. */
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of request bodies that are read at the same time, and the time limit for each in ms. The limits are
 * low because anyone can start an upload: the signature is verified only after the whole body was read.
 */
export const REPORT_UPLOAD_LIMITS = { concurrent: 32, ms: 30_000 };

/** Reads the body of a request that is signed with INBOUND_SECRET. */
@Injectable()
export class SignedMail {
  private reading = 0;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the headers, then reads the body and verifies the signature, which covers the whole body.
   * @returns the first REPORT_BYTES of the body
   * @throws 404 if no secret is set; 401 for a wrong or expired signature; 413; 503 while too many bodies are being
   * read
   */
  async bodyOf(req: Request): Promise<Buffer> {
    const secret = this.settings.inboundSecret;
    if (!secret) throw notFound();
    const [, time, given] =
      /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i.exec((req.get('x-signature') ?? '').slice(0, 200).replace(/\s/g, '')) ?? [];
    if (!time || !given || Math.abs(this.clock.now().getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS)
      throw badSignature();
    if (Number(req.get('content-length')) > MAX_BYTES) throw reportTooLarge();
    if (this.reading >= REPORT_UPLOAD_LIMITS.concurrent) throw tooManyReports();
    this.reading += 1;
    try {
      const hmac = createHmac('sha256', secret).update(`${time}.`);
      const body = await beginningOf(req, hmac);
      if (!timingSafeEqual(hmac.digest(), Buffer.from(given, 'hex'))) throw badSignature();
      return body;
    } finally {
      this.reading -= 1;
    }
  }
}

async function beginningOf(req: Request, hmac: Hmac): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => req.destroy(), REPORT_UPLOAD_LIMITS.ms);
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      if (size < REPORT_BYTES) kept.push(chunk.subarray(0, REPORT_BYTES - size));
      size += chunk.length;
      if (size > MAX_BYTES) throw reportTooLarge();
      hmac.update(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(kept);
}
