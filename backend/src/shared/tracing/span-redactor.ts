import type { SpanProcessor } from '@opentelemetry/sdk-trace';

/** Cuts tokens out of addresses and drops statements' text and values before a span leaves the process. */
export function spanRedactor(redact: (url: string) => string): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      const attributes = span.attributes as Record<string, unknown>;
      for (const [name, value] of Object.entries(attributes)) {
        if (name === 'db.statement' || name === 'db.query.text') attributes[name] = shape(String(value));
        else if (typeof value === 'string' && /url|target/.test(name)) attributes[name] = redact(value);
      }
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

/** A statement without its values. */
function shape(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'/g, '?').slice(0, 1000);
}
