/** How long a mail server may take, in milliseconds; the fault tests cut it to seconds. */
export const SMTP_LIMITS = {
  connectMs: 30_000,
  greetingMs: 30_000,
  /** Connection, TLS and sign-in together. */
  setUpMs: 90_000,
  commandMs: 300_000,
  /** Each second less turns slow answers into copies (RFC 1047). */
  afterDotMs: 600_000,
};
