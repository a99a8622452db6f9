import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, CurrentUser, DocumentBody, KB, type RequestUser } from '../../../shared/http/index.js';
import { TestMailDto, TestSendDto, TestSentDto } from './test-send.dto.js';
import { TestRequests } from './test-requests.service.js';

/** Size limit of a request; the same as for a send. */
const TEST_BODY = 1024 * KB;

@ApiTags('Sending')
@Controller('api/send-email')
export class TestRequestsController {
  constructor(private readonly requests: TestRequests) {}

  /**
   * Sends a composition as a test mail to the caller's own address and to confirmed testers; at most 30 mails an hour
   * and 100 a day. If one of the addresses may not get it, nothing is sent: 403 `tester_unconfirmed` names the address.
   * Tests do not count towards the daily limit.
   */
  @Post('test')
  @DocumentBody(TEST_BODY, 'document')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: TestSentDto })
  @ApiErrors(400, 401, 403, 404, 409, 413, 429)
  sendTest(@CurrentUser() user: RequestUser, @Body() body: TestSendDto): Promise<TestSentDto> {
    return this.requests.accept(user, body);
  }

  /** The caller's last 20 test mails, newest first. */
  @Get('tests')
  @ApiOkResponse({ type: [TestMailDto] })
  @ApiErrors(401)
  async listTests(@CurrentUser() user: RequestUser, @Res({ passthrough: true }) res: Response): Promise<TestMailDto[]> {
    const found = await this.requests.latest(user);
    res.setHeader('X-Total-Count', String(found.length));
    return found;
  }
}
