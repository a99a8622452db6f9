import { context, type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MailTransport } from '../mail/bulk-transport.js';

const tracer = trace.getTracer('staffcast');

/** Runs some work as a span, under which its statements and calls stand. Costs next to nothing while tracing is off. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>, kind = SpanKind.INTERNAL): Promise<T> {
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

/** Adds to what the present span says. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Every message that is handed over as a span: how long the mail server took, and whether it took it; never to whom. */
export function traced(transport: MailTransport): MailTransport {
  const send: MailTransport['send'] = (message) => inSpan('smtp send', { 'messaging.system': 'smtp' }, () => transport.send(message), SpanKind.CLIENT);
  return Object.assign(Object.create(transport) as MailTransport, { send });
}
