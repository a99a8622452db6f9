import { Global, Module } from '@nestjs/common';
import { EventStreamLimits, EventStreams } from './responses/event-streams.service.js';
import { RateLimits } from './rate-limits/rate-limits.service.js';

/** Providers of the HTTP layer. The auth module registers the guards, because their order matters. */
@Global()
@Module({
  providers: [EventStreamLimits, EventStreams, RateLimits],
  exports: [EventStreamLimits, EventStreams, RateLimits],
})
export class HttpModule {}
