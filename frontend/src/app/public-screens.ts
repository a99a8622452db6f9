import type { ComponentType } from 'react';
import { matchPath, routes, type RouteName } from '../lib/routes';

/** Fetches the code of a screen. */
export type LoadScreen = () => Promise<ComponentType>;

/** The screens for people who are not signed in. Each works with and without the router (pages.tsx). */
export const publicScreens = {
  login: () => import('../features/auth/login-screen').then((module) => module.LoginScreen),
  register: () => import('../features/auth/register-screen').then((module) => module.RegisterScreen),
  forgotPassword: () => import('../features/auth/forgot-password-screen').then((module) => module.ForgotPasswordScreen),
  resetPassword: () => import('../features/auth/reset-password-screen').then((module) => module.ResetPasswordScreen),
  checkEmail: () => import('../features/auth/check-email-screen').then((module) => module.CheckEmailScreen),
  verifyEmail: () => import('../features/auth/verify-email-screen').then((module) => module.VerifyEmailScreen),
  notMe: () => import('../features/auth/not-me-screen').then((module) => module.NotMeScreen),
  invite: () => import('../features/auth/register-screen').then((module) => module.InviteRedirect),
  noInvites: () => import('../features/referrals/invite-opt-out-screen').then((module) => module.InviteOptOutScreen),
  subscribeList: () => import('../features/subscribe/list-page-screen').then((module) => module.ListPageScreen),
  subscribePending: () => import('../features/subscribe/pending-screen').then((module) => module.PendingScreen),
  subscribeConfirmed: () =>
    import('../features/consent/confirmation-screen').then((module) => module.ConfirmationScreen),
  unsubscribe: () => import('../features/consent/unsubscribe-screen').then((module) => module.UnsubscribeScreen),
  mailSettings: () =>
    import('../features/notifications/mail-settings-screen').then((module) => module.MailSettingsScreen),
  testerConfirm: () => import('../features/consent/tester-screen').then((module) => module.TesterScreen),
  sharedFile: () => import('../features/shared-file/shared-file-screen').then((module) => module.SharedFileScreen),
  neverAsk: () => import('../features/consent/never-ask-screen').then((module) => module.NeverAskScreen),
} as const satisfies Partial<Record<RouteName, LoadScreen>>;

export type PublicScreen = keyof typeof publicScreens;

/** The public screen at a path, if there is one. */
export const publicScreenAt = (pathname: string): PublicScreen | undefined =>
  (Object.keys(publicScreens) as PublicScreen[]).find((name) => matchPath(routes[name].path, pathname));
