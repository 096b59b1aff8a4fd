import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { logContext } from './log-context.ts';

/** Spans of this process: a request, a run of a job, a statement in either. They hold ids, routes and statements without values. */
let tracer: Tracer | undefined;
let api: typeof import('@opentelemetry/api') | undefined;

/**
 * Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT from now on. OpenTelemetry is loaded only here, so it costs nothing without the variable. Its own
 * variables (headers, sampling) are read by it. Returns a function that sends what is left.
 */
export async function startTracing(env: NodeJS.ProcessEnv = process.env): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return async () => undefined;
  const [loaded, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME ?? 'anteroom' }),
    sampler: new sdk.TraceIdRatioBasedSampler(Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1)),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
      }),
    ],
  });
  api = loaded;
  tracer = provider.getTracer('anteroom');
  return async () => {
    tracer = undefined;
    // A collector that is away must not keep the process from ending.
    await provider.shutdown().catch(() => undefined);
  };
}

/** Whether traces are wanted; otherwise the functions below do nothing. */
export const isTracing = (): boolean => tracer !== undefined;

export interface RunningSpan {
  /** Spans started inside are its children. */
  span: Span;
  end(outcome?: { failed: boolean; attributes?: Attributes }): void;
}

/** Starts the span of a request or of a job's run; undefined without tracing. Headers of a caller do not name its trace: they are a stranger's. */
export function startSpan(name: string, kind: 'request' | 'job', attributes: Attributes = {}): RunningSpan | undefined {
  if (!tracer || !api) return undefined;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode } = api;
  const span = tracer.startSpan(
    name,
    { kind: kind === 'request' ? SpanKind.SERVER : SpanKind.INTERNAL, attributes },
    ROOT_CONTEXT,
  );
  return {
    span,
    end({ failed, attributes: more = {} } = { failed: false }) {
      span.setAttributes(more);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Adds a finished statement to the running span. Values are parameters, so its text has none. */
export function traceStatement(text: string, tookMs: number, failed: boolean): void {
  const parent = logContext().span;
  if (!tracer || !api || !parent) return;
  const end = Date.now();
  const span = tracer.startSpan(
    text.split(' ', 1)[0] ?? 'statement',
    {
      kind: api.SpanKind.CLIENT,
      startTime: end - tookMs,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    },
    api.trace.setSpan(api.ROOT_CONTEXT, parent),
  );
  if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
  span.end(end);
}
