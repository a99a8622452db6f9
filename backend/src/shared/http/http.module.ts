import { Global, Module } from '@nestjs/common';
import { EventStreamLimits, EventStreams } from './event-streams.service.js';
import { RateLimits } from './rate-limits.service.js';

/** What the HTTP edge needs injected; auth registers the guards in their order. */
@Global()
@Module({ providers: [EventStreamLimits, EventStreams, RateLimits], exports: [EventStreamLimits, EventStreams, RateLimits] })
export class HttpModule {}
