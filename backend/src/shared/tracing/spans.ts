import { context, type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MailTransport } from '../mail/smtp/bulk-transport.js';

const tracer = trace.getTracer('staffcast');

/** Runs work inside a span. Costs almost nothing while tracing is off. */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind = SpanKind.INTERNAL,
): Promise<T> {
  const span = tracer.startSpan(name, { kind, attributes });
  return context.with(trace.setSpan(context.active(), span), work).then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      span.end();
      throw error;
    },
  );
}

/** Adds attributes to the current span. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Wraps a transport so that every message becomes a span with duration and outcome, but without the recipient. */
export function traced(transport: MailTransport): MailTransport {
  const send: MailTransport['send'] = (message) =>
    inSpan('smtp send', { 'messaging.system': 'smtp' }, () => transport.send(message), SpanKind.CLIENT);
  return Object.assign(Object.create(transport) as MailTransport, { send });
}
