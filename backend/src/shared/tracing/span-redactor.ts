import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { redactText, redactUrl } from '../logging/redact-url.js';

type Attributes = Record<string, unknown>;
interface Writable {
  name: string;
  attributes: Attributes;
  events?: { attributes?: Attributes }[];
  status?: { message?: string };
}

/** Cuts tokens out of every text of a span and drops statements' values before it leaves the process. */
export function spanRedactor(): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: (ended) => {
      const span = ended as unknown as Writable;
      span.name = redactText(span.name);
      if (span.status?.message) span.status.message = redactText(span.status.message);
      for (const attributes of [span.attributes, ...(span.events ?? []).map((event) => event.attributes ?? {})]) redactAll(attributes);
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function redactAll(attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const redact = name === 'db.statement' || name === 'db.query.text' ? shape : /url|target|path|referer/.test(name) ? redactUrl : redactText;
    if (typeof value === 'string') attributes[name] = redact(value);
    else if (Array.isArray(value)) attributes[name] = value.map((part: unknown) => (typeof part === 'string' ? redact(part) : part));
  }
}

/** A statement without its values. */
function shape(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'/g, '?').slice(0, 1000);
}
