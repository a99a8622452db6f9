import { Body, Controller, HttpCode, Logger, Post, Module } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { Anonymous } from '../http/requests/access.decorators.js';
import { ApiErrors } from '../http/responses/error-body.dto.js';
import { JsonBody, KB } from '../http/requests/body.decorators.js';
import { RateLimit } from '../http/rate-limits/rate-limit.guard.js';
import { ClientErrorDto } from './client-error.dto.js';
import { redactPersonalData } from './redact-personal-data.js';

const MAX_KB = 2;

/** Logs errors of the web app. Signed-out pages may report errors, too. No account, address or id is logged. */
@ApiTags('diagnostics')
@Controller('api/client-errors')
export class ClientErrorsController {
  private readonly logger = new Logger(ClientErrorsController.name);

  /** Reports an error of the web app */
  @Anonymous()
  @RateLimit('client-error')
  @JsonBody(MAX_KB * KB)
  @Post()
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(400, 413, 429)
  reportClientError(@Body() { release, kind, screen, message, stack }: ClientErrorDto): void {
    this.logger.warn(
      {
        code: 'client_error',
        release,
        kind,
        screen,
        message: redactPersonalData(message),
        stack: redactPersonalData(stack),
      },
      'The web app broke in a browser',
    );
  }
}

@Module({ controllers: [ClientErrorsController] })
export class ClientErrorsModule {}
