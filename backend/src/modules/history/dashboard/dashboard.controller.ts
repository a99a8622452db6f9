import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, type RequestUser } from '../../../shared/http/index.js';
import { Dashboard } from './dashboard.service.js';
import { DashboardStatsDto, OnboardingDto, SendOutcomeDto, TrendDayDto } from './dashboard.dto.js';
import { Onboarding } from './onboarding.service.js';
import { SendTrends } from './send-trends.service.js';

@ApiTags('History')
@Controller('api/dashboard')
export class DashboardController {
  constructor(
    private readonly dashboard: Dashboard,
    private readonly trends: SendTrends,
    private readonly onboarding: Onboarding,
  ) {}

  /** Figures of the user's lists and sends, and recent activity. */
  @Get('stats')
  @ApiOkResponse({ type: DashboardStatsDto })
  @ApiErrors(401)
  async getDashboardStats(@CurrentUser() user: RequestUser): Promise<DashboardStatsDto> {
    return this.dashboard.stats(user);
  }

  /**
   * The last 30 days in the user's time zone, oldest first, including today. Messages count on the day their send was
   * accepted.
   */
  @Get('trends')
  @ApiOkResponse({ type: [TrendDayDto] })
  @ApiErrors(401)
  async getDashboardTrends(@CurrentUser() user: RequestUser): Promise<TrendDayDto[]> {
    return this.dashboard.trends(user);
  }

  /** Outcomes of the last ten sends, newest first. */
  @Get('outcomes')
  @ApiOkResponse({ type: [SendOutcomeDto] })
  @ApiErrors(401)
  async getDashboardOutcomes(@CurrentUser() user: RequestUser): Promise<SendOutcomeDto[]> {
    return this.trends.outcomes(user.id);
  }

  /** Onboarding steps that the account has completed. */
  @Get('onboarding')
  @ApiOkResponse({ type: OnboardingDto })
  @ApiErrors(401)
  getOnboarding(@CurrentUser() user: RequestUser): Promise<OnboardingDto> {
    return this.onboarding.of(user);
  }

  /** Hides the onboarding checklist on all devices. */
  @Post('onboarding/dismiss')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401)
  dismissOnboarding(@CurrentUser() user: RequestUser): Promise<void> {
    return this.onboarding.dismiss(user);
  }
}
