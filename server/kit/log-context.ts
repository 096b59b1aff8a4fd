import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** What a log line belongs to: a request by its id, or a job by its name; and its trace, where traces are wanted. */
export interface LogContext {
  reqId?: string;
  job?: string;
  span?: Span | undefined;
}

const current = new AsyncLocalStorage<LogContext>();

/** Runs the work; each log line that it causes carries the context, also where no request is at hand. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => current.run(context, work);

/** The context of the running work; empty outside of any. */
export const logContext = (): LogContext => current.getStore() ?? {};

/** What is printed on each line of the log: `reqId` or `job`, and `traceId`. */
export function logLineContext(): Record<string, string | undefined> {
  const { reqId, job, span } = logContext();
  return { reqId, job, traceId: span?.spanContext().traceId };
}
