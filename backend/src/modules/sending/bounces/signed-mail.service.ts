import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { notFound } from '../../../shared/errors/app-error.js';
import { badSignature, reportTooLarge } from '../sending.errors.js';

const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 20 * 1024 * 1024;

/** The body of a call that INBOUND_SECRET signs. */
@Injectable()
export class SignedMail {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 where no secret is set, 401 where the signature is wrong or old */
  async bodyOf(req: Request): Promise<Buffer> {
    const secret = this.settings.inboundSecret;
    if (!secret) throw notFound();
    const [, time, given] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i.exec((req.get('x-signature') ?? '').replace(/\s/g, '')) ?? [];
    if (!time || !given || Math.abs(this.clock.now().getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS) throw badSignature();
    const body = await read(req);
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    if (!timingSafeEqual(expected, Buffer.from(given, 'hex'))) throw badSignature();
    return body;
  }
}

/** The bytes as they came; a JSON body was taken by the JSON parser before and is no mail. */
async function read(req: Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (req.readableEnded) return Buffer.alloc(0);
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw reportTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
