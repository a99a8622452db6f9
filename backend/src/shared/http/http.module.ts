import { Global, Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.service.js';

/** What the HTTP edge needs injected; auth registers the guards in their order. */
@Global()
@Module({ providers: [RateLimits], exports: [RateLimits] })
export class HttpModule {}
