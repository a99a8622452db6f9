import { Body, Controller, Delete, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, CurrentUser, Public, RateLimit, type RequestUser, UuidParam } from '../../../shared/http/index.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { InvalidTokenLimiter } from '../../lists/index.js';
import { AddTesterDto, ConfirmTesterDto, TesterDto } from './tester.dto.js';
import { type StoredTester, Testers } from './testers.service.js';

@ApiTags('Composing')
@Controller('api/testers')
export class TestersController {
  constructor(
    private readonly testers: Testers,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /** The caller's testers in the order in which they were added; at most 5. */
  @Get()
  @ApiOkResponse({ type: [TesterDto] })
  @ApiErrors(401)
  async listTesters(@CurrentUser() user: RequestUser, @Res({ passthrough: true }) res: Response): Promise<TesterDto[]> {
    const found = await this.testers.all(user.id);
    res.setHeader('X-Total-Count', String(found.length));
    return found.map(toDto);
  }

  /**
   * Adds a tester, who gets one confirmation mail. For an unconfirmed tester, sends the mail again, at most every 10
   * minutes. The answer does not reveal whether the address accepts such mail.
   */
  @Post()
  @RateLimit('tester')
  @ApiCreatedResponse({ type: TesterDto })
  @ApiErrors(400, 401, 403, 409, 429)
  async addTester(@CurrentUser() user: RequestUser, @Body() { address }: AddTesterDto): Promise<TesterDto> {
    return toDto(await this.testers.add(user, address));
  }

  /** Removes a tester. The link in the confirmation mail stops working. */
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404)
  async removeTester(@CurrentUser() user: RequestUser, @UuidParam('id', 'Tester not found') id: string): Promise<void> {
    await this.testers.remove(user.id, id);
  }

  /** Confirms a tester, for the button on the page that the confirmation mail links to. */
  @Post('confirm')
  @Public()
  @RateLimit('none')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 404, 410, 429)
  async confirmTester(@Body() { token }: ConfirmTesterDto, @Req() request: Request): Promise<MessageDto> {
    const name = await this.invalidTokens.guard(request, () => this.testers.confirm(token));
    return { message: `${name} can send you tests now.` };
  }
}

const toDto = ({ id, address, confirmedAt, createdAt }: StoredTester): TesterDto => ({
  id,
  address,
  state: confirmedAt ? 'confirmed' : 'waiting',
  createdAt: new Date(createdAt).toISOString(),
});
