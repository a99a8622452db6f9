import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { BatchSpanProcessor, TracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Settings } from '../config/settings.js';
import { redactText, redactUrl } from '../logging/redact-url.js';

type Attributes = Record<string, unknown>;
interface Writable {
  name: string;
  attributes: Attributes;
  events?: { attributes?: Attributes }[];
  status?: { message?: string };
}

/** Removes tokens and SQL values from spans before export. */
export function spanRedactor(): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: (ended) => {
      const span = ended as unknown as Writable;
      span.name = redactText(span.name);
      if (span.status?.message) span.status.message = redactText(span.status.message);
      for (const attributes of [span.attributes, ...(span.events ?? []).map((event) => event.attributes ?? {})])
        redactAll(attributes);
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function redactAll(attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const redact =
      name === 'db.statement' || name === 'db.query.text'
        ? withoutValues
        : /url|target|path|referer/.test(name)
          ? redactUrl
          : redactText;
    if (typeof value === 'string') attributes[name] = redact(value);
    else if (Array.isArray(value))
      attributes[name] = value.map((part: unknown) => (typeof part === 'string' ? redact(part) : part));
  }
}

/** Replaces the text values of a statement by `?`. */
function withoutValues(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'/g, '?').slice(0, 1000);
}

const UNTRACED = /^\/(assets\/|api\/health\/|api\/metrics)/;

/**
 * Exports traces of requests, statements and Redis calls to OTEL_EXPORTER_OTLP_ENDPOINT. Call it only if an endpoint is
 * configured, and before the instrumented libraries are loaded. OTEL_SERVICE_NAME names the service.
 */
export function startTracing(settings: Settings): void {
  const exporter = new OTLPTraceExporter({ url: `${settings.tracesUrl}/v1/traces` });
  const provider = new TracerProvider({ spanProcessors: [spanRedactor(), new BatchSpanProcessor({ exporter })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (req) => UNTRACED.test(req.url ?? ''),
        ignoreOutgoingRequestHook: (options) => options.path === '/v1/traces',
      }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  // Instrumentation patches modules when they are required. Later imports get the patched instances.
  for (const name of ['node:http', 'pg', 'ioredis']) createRequire(import.meta.url)(name);
  process.once('beforeExit', () => void provider.shutdown());
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void provider.forceFlush().catch(() => undefined));
}
