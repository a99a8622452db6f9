import { useCallback } from 'react';
import { client } from '../../api/client';
import type { LoginDto, RegisterDto } from '../../api/endpoints.gen';
import { useForgetAccount, useForgetSession } from '../../api/session';

export type Credentials = LoginDto;
export type Registration = RegisterDto;
export { useCurrentUser, useSession } from '../../api/session';

/** Asks again who is signed in, and resolves when the answer stands. */
function useRefreshSession() {
  const [ask] = client.useLazyGetCurrentUserQuery();
  return () => ask();
}

export function useLogin() {
  const [login, { isLoading }] = client.useLoginMutation();
  const refresh = useRefreshSession();
  const run = async (credentials: Credentials) => {
    const answer = await login({ loginDto: credentials }).unwrap();
    return { answer, refresh };
  };
  return [run, isLoading] as const;
}

export function useRegister() {
  const [register, { isLoading }] = client.useRegisterMutation();
  const refresh = useRefreshSession();
  const run = async (registration: Registration) => {
    const answer = await register({ registerDto: registration }).unwrap();
    return { answer, refresh };
  };
  return [run, isLoading] as const;
}

/** Ends the session; `forget` then drops everything that was loaded for it, and the guard leads to /login. */
export function useLogout() {
  const [logout, { isLoading }] = client.useLogoutMutation();
  const forgetAccount = useForgetAccount();
  const run = async () => {
    const forget = forgetAccount();
    await logout().unwrap();
    return { forget };
  };
  return [run, isLoading] as const;
}

export function useForgotPassword() {
  const [ask] = client.useForgotPasswordMutation();
  return (email: string) => ask({ forgotPasswordDto: { email } }).unwrap();
}

/** Sets a new password by the mailed token; every device is signed out by it, this one too. */
export function useResetPassword() {
  const [reset] = client.useResetPasswordMutation();
  const forget = useForgetSession();
  return async (token: string, password: string) => {
    const answer = await reset({ resetPasswordDto: { token, password } }).unwrap();
    return { answer, forget };
  };
}

export function useVerifyEmail() {
  const [verify] = client.useVerifyEmailMutation();
  return (token: string) => verify({ tokenDto: { token } }).unwrap();
}

export function useDisownAccount() {
  const [disown, state] = client.useDisownAccountMutation();
  return [(token: string) => disown({ tokenDto: { token } }).unwrap(), state] as const;
}

export function useResendVerification() {
  const [resend, { isLoading }] = client.useResendVerificationMutation();
  return [() => resend().unwrap(), isLoading] as const;
}

/** Tells whose code a visitor came with; the server remembers it for this browser. */
export function useNoteVisit() {
  const [send, { data }] = client.useNoteVisitMutation();
  const note = useCallback((ref: string) => send({ visitDto: { ref } }), [send]);
  return [note, data?.inviterName] as const;
}
