import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, type RequestUser } from '../../shared/http/index.js';
import { UsageTodayDto } from './dto/usage.dto.js';
import { UsageLedger } from './usage-ledger.service.js';

@ApiTags('History')
@Controller('api/usage')
export class UsageController {
  constructor(private readonly usage: UsageLedger) {}

  /** Sends of today, counted by the day of the user's time zone. */
  @Get('today')
  @ApiOkResponse({ type: UsageTodayDto })
  @ApiErrors(401)
  async getUsageToday(@CurrentUser() user: RequestUser): Promise<UsageTodayDto> {
    return { emailsSent: String(await this.usage.sentToday(user.id, user.timeZone)) };
  }
}
