import type {
  ActivityDto,
  DashboardStatsDto,
  OnboardingDto,
  SendOutcomeDto,
  TrendDayDto,
} from '../../api/endpoints.gen';

export type Activity = ActivityDto;
export type Stats = DashboardStatsDto;
export type Onboarding = OnboardingDto;
export type SendOutcome = SendOutcomeDto;
export type TrendDay = TrendDayDto;

/** Texts of the dashboard; e2e journeys and tests assert them. */
export const messages = {
  statsFailed: 'Failed to load dashboard statistics',
  chartsFailed: 'The charts could not be loaded.',
  outcomesFailed: 'The outcome of your last sends could not be loaded.',
  quiet: 'Nothing has happened yet',
  quietText: 'Create a list and add contacts. Their activity is shown here.',
  dismissFailed: 'Not Hidden',
  dismissFailedText: 'Please try again.',
  noSends: 'No sends in the last 30 days',
  noSendsText: 'Your sends and their results are shown here.',
  noGrowth: 'No contacts were added or unsubscribed in the last 30 days',
} as const;
