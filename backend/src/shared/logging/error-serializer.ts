import { redactText } from './redact-url.js';

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}

const MAX_TEXT_LENGTH = 2000;

/**
 * Converts an error for the log. Removes the statement and the detail of database errors, because they contain values
 * such as addresses and hashes.
 */
export function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: clean(String(error)) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const message = clean(error.message);
  return {
    type: error.name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack && {
      stack: [
        `${error.name}: ${message}`,
        ...error.stack
          .split('\n')
          .filter((line) => /^\s+at /.test(line))
          .slice(0, 20),
      ].join('\n'),
    }),
    ...(cause instanceof Error && depth < 3 && { cause: serializeError(cause, depth + 1) }),
  };
}

const STATEMENT = /^\s*(?:select|insert|update|delete|with|truncate|begin|commit|create|alter|copy)\b[\s\S]* - (?=\S)/i;

function clean(text: string): string {
  return redactText(text.replace(STATEMENT, '').slice(0, MAX_TEXT_LENGTH));
}
