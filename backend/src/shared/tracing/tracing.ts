import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Settings } from '../config/settings.js';
import { spanRedactor } from './span-redactor.js';

const QUIET = /^\/(assets\/|api\/health\/|api\/metrics)/;

/**
 * Sends traces of requests, statements and Redis calls to OTEL_EXPORTER_OTLP_ENDPOINT. Called before anything that it wraps
 * is loaded, and only where an endpoint is set. The service's name comes from OTEL_SERVICE_NAME, as everywhere.
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
        ignoreIncomingRequestHook: (req) => QUIET.test(req.url ?? ''),
        ignoreOutgoingRequestHook: (options) => options.path === '/v1/traces',
      }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  // Wrapped when they are required; whoever imports them later gets the same, wrapped ones.
  for (const name of ['node:http', 'pg', 'ioredis']) createRequire(import.meta.url)(name);
  process.once('beforeExit', () => void provider.shutdown());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void provider.forceFlush().catch(() => undefined));
}
