import { afterEach, beforeEach, expect } from '@jest/globals';
import type { OnboardingDto, RunningTasksDto } from '../src/api/endpoints.gen';
import type { CurrentUser } from '../src/api/session';

export interface Call {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Headers;
  body: unknown;
}

/** A response with a status and headers. */
export const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** The API's error body. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  details?: { field: string; message: string }[],
) => answer({ statusCode: status, code, message, error: message, ...(details && { details }) }, status);

/** A page of a collection with its headers. */
export const page = (rows: unknown[], total = rows.length, next?: string) =>
  answer(rows, 200, {
    'x-total-count': String(total),
    ...(next && { link: `</api/things?cursor=${next}>; rel="next"` }),
  });

const runningTasks: RunningTasksDto = { sends: [], imports: [], bulk: [] };
const onboarding: OnboardingDto = {
  verified: true,
  hasList: true,
  hasContact: true,
  hasConfirmed: true,
  hasSent: true,
  dismissed: true,
};

/**
 * Default answers for calls of the layout and the dashboard: nothing is running, no first steps are shown, nothing is
 * unread.
 */
const usualAnswers: Record<string, unknown> = {
  'GET /api/running-tasks': runningTasks,
  'GET /api/dashboard/onboarding': onboarding,
  'GET /api/notifications': () => page([]),
  'GET /api/scheduled-sends': page([]),
};

/** Calls for which the test defined no answer. They make the test fail, even if the screen handles the 404. */
let unfaked: string[] = [];
beforeEach(() => {
  unfaked = [];
});
afterEach(() => expect(unfaked).toEqual([]));

/**
 * Replaces `fetch`. `answers` maps 'GET /api/auth/user' and the like to an answer, or to a function of the call.
 * @returns the calls, which are added as they are made
 */
export function fakeApi(answers: Record<string, unknown>): Call[] {
  const calls: Call[] = [];
  globalThis.fetch = async (input) => {
    const request = input as Request;
    const url = new URL(request.url);
    const text = await request.clone().text();
    const call: Call = {
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text ? JSON.parse(text) : undefined,
    };
    calls.push(call);
    const name = `${call.method} ${call.path}`;
    const found = answers[name] ?? usualAnswers[name];
    if (found === undefined) {
      unfaked.push(name);
      return refusal(404, 'not_found', `Nothing fakes ${name}`);
    }
    const given = typeof found === 'function' ? await (found as (call: Call) => unknown)(call) : found;
    return given instanceof Response ? given.clone() : answer(given);
  };
  return calls;
}

/** A signed-in recruiter. */
export const someone = (over: Partial<CurrentUser> = {}): CurrentUser => ({
  id: 'u1',
  email: 'dana@northline.example',
  firstName: 'Dana',
  lastName: 'Whitfield',
  agencyName: 'Northline',
  profileImageUrl: null,
  role: 'recruiter',
  tier: 'free',
  customDailyLimit: null,
  isAdmin: false,
  isVerified: true,
  referralCreditsMonths: '0',
  timeZone: 'UTC',
  createdAt: '2026-01-05T10:00:00.000Z',
  entitlements: { plan: 'free', dailyLimit: 1, sentToday: 0, scheduledToday: 0, remainingToday: 1 },
  ...over,
});

export const signedOut = () => refusal(401, 'unauthorized', 'Please sign in');
