import { register } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Settings } from '../config/settings.js';
import { redactUrl } from '../logging/redact-url.js';
import { spanRedactor } from './span-redactor.js';

const QUIET = /^\/(assets\/|api\/health\/|api\/metrics)/;

/**
 * Sends traces of requests, statements and Redis calls to OTEL_EXPORTER_OTLP_ENDPOINT. Called before anything that it wraps
 * is loaded, and only where an endpoint is set. The service's name comes from OTEL_SERVICE_NAME, as everywhere.
 */
export function startTracing(settings: Settings): void {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const exporter = new OTLPTraceExporter({ url: `${settings.tracesUrl}/v1/traces` });
  const provider = new NodeTracerProvider({ spanProcessors: [spanRedactor(redactUrl), new BatchSpanProcessor(exporter)] });
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: (req) => QUIET.test(req.url ?? '') }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  process.once('beforeExit', () => void provider.shutdown());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void provider.forceFlush().catch(() => undefined));
}
