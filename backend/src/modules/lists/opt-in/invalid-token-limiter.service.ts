import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../shared/errors/app-error.js';
import { clientOf, RateLimits } from '../../../shared/http/index.js';

/** Limits requests with invalid consent tokens per client network; requests with valid tokens are never limited. */
@Injectable()
export class InvalidTokenLimiter {
  constructor(private readonly limits: RateLimits) {}

  async guard<T>(request: Request, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof AppError && error.status === 404)
        await this.limits.consumeByClient('wrong-token', clientOf(request).ip);
      throw error;
    }
  }
}
