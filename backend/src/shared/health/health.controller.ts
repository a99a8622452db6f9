import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Anonymous } from '../http/access.decorators.js';
import { ApiErrors } from '../http/api-errors.js';
import { RateLimit } from '../http/rate-limit.decorator.js';
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

  /** 200 while database, queue and migrations are in order; else 503 with the failing part named */
  @Get('ready')
  @ApiOkResponse({ type: HealthDto })
  @ApiErrors(503)
  getReady(): Promise<HealthDto> {
    return this.readiness.check();
  }
}
