import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { notFound } from '../../../shared/errors/app-error.js';
import { badSignature, reportTooLarge, tooManyReports } from '../sending.errors.js';
import { REPORT_BYTES } from './mail-report.js';

const TOLERANCE_SECONDS = 300;
/** The load balancer's limit is the same. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How many bodies are read at a time, and for how long each at most; whoever knows no secret can open them, so they hold little and not for long. */
export const READING = { atOnce: 32, ms: 30_000 };

/** The body of a call that INBOUND_SECRET signs. */
@Injectable()
export class SignedMail {
  private reading = 0;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Judges by the headers first, then reads: all of it goes into the signature, only the beginning is kept.
   * @returns what a report is read from, the first REPORT_BYTES
   * @throws 404 where no secret is set, 401 where the signature is wrong or old, 413, 503 while too many are being read
   */
  async bodyOf(req: Request): Promise<Buffer> {
    const secret = this.settings.inboundSecret;
    if (!secret) throw notFound();
    const [, time, given] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i.exec((req.get('x-signature') ?? '').slice(0, 200).replace(/\s/g, '')) ?? [];
    if (!time || !given || Math.abs(this.clock.now().getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS) throw badSignature();
    if (Number(req.get('content-length')) > MAX_BYTES) throw reportTooLarge();
    if (this.reading >= READING.atOnce) throw tooManyReports();
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
  const late = setTimeout(() => req.destroy(), READING.ms);
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
