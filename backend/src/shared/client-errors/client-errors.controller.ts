import { Body, Controller, HttpCode, Logger, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { Anonymous } from '../http/access.decorators.js';
import { ApiErrors } from '../http/api-errors.js';
import { JsonBody, KB } from '../http/body.decorators.js';
import { RateLimit } from '../http/rate-limit.decorator.js';
import { ClientErrorDto } from './client-error.dto.js';
import { impersonal } from './impersonal.js';

const MAX_KB = 2;

/** Puts faults of the web app into the server's log. Open to signed-out pages too; no account, address or id is logged with them. */
@ApiTags('diagnostics')
@Controller('api/client-errors')
export class ClientErrorsController {
  private readonly logger = new Logger(ClientErrorsController.name);

  /** Reports a screen of the web app that broke */
  @Anonymous()
  @RateLimit('client-error')
  @JsonBody(MAX_KB * KB)
  @Post()
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(400, 413, 429)
  reportClientError(@Body() { release, kind, screen, message, stack }: ClientErrorDto): void {
    this.logger.warn({ code: 'client_error', release, kind, screen, message: impersonal(message), stack: impersonal(stack) }, 'The web app broke in a browser');
  }
}
