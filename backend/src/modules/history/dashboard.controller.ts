import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, type RequestUser } from '../../shared/http/index.js';
import { Dashboard } from './dashboard.service.js';
import { DashboardStatsDto, SendOutcomeDto, TrendDayDto } from './dto/dashboard.dto.js';
import { SendTrends } from './send-trends.service.js';

@ApiTags('History')
@Controller('api/dashboard')
export class DashboardController {
  constructor(
    private readonly dashboard: Dashboard,
    private readonly trends: SendTrends,
  ) {}

  /** The figures of the user's own lists and sends, and what happened lately. */
  @Get('stats')
  @ApiOkResponse({ type: DashboardStatsDto })
  @ApiErrors(401)
  async getDashboardStats(@CurrentUser() user: RequestUser): Promise<DashboardStatsDto> {
    return this.dashboard.stats(user);
  }

  /** The last 30 days of the user's time zone, oldest first, today included. Messages count on the day of their send. */
  @Get('trends')
  @ApiOkResponse({ type: [TrendDayDto] })
  @ApiErrors(401)
  async getDashboardTrends(@CurrentUser() user: RequestUser): Promise<TrendDayDto[]> {
    return this.dashboard.trends(user);
  }

  /** What became of the newest ten sends, newest first. */
  @Get('outcomes')
  @ApiOkResponse({ type: [SendOutcomeDto] })
  @ApiErrors(401)
  async getDashboardOutcomes(@CurrentUser() user: RequestUser): Promise<SendOutcomeDto[]> {
    return this.trends.outcomes(user.id);
  }
}
