import { Controller, Get, Module } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { TerminusModule } from '@nestjs/terminus';
import { Anonymous } from '../http/requests/access.decorators.js';
import { ApiErrors } from '../http/responses/error-body.dto.js';
import { RateLimit } from '../http/rate-limits/rate-limit.guard.js';
import { HealthDto } from './health.dto.js';
import { Readiness } from './readiness.service.js';

@ApiTags('health')
@Anonymous()
@RateLimit('none')
@Controller('api/health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** 200 while the process runs */
  @Get('live')
  @ApiOkResponse({ type: HealthDto })
  getLive(): HealthDto {
    return { status: 'ok', parts: {} };
  }

  /** 200 if database, queue and migrations are in order; else 503 with the names of the failing parts */
  @Get('ready')
  @ApiOkResponse({ type: HealthDto })
  @ApiErrors(503)
  getReady(): Promise<HealthDto> {
    return this.readiness.check();
  }
}

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [Readiness],
})
export class HealthModule {}
